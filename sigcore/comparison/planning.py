"""How many pairs a study needs, in words."""

import dataclasses
from dataclasses import dataclass

from sigcore.comparison.document import Section, Table, format_number, render
from sigcore.comparison.power import power_t, sample_size_t

__all__ = ["Plan", "describe_plan", "plan_t"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A study planned for the paired t test.

    Attributes
    ----------
    n_pairs : int
        The smallest number of pairs that is enough.
    power : float
        The power that it has.
    target : float
        The power that was wanted.
    mean, sd : float
        Expected mean and standard deviation of the differences.
    hypothesised, alternative, alpha
        Of the test.
    """

    n_pairs: int
    power: float
    target: float
    mean: float
    sd: float
    hypothesised: float
    alternative: str
    alpha: float

    @property
    def sentence(self) -> str:
        """The plan in words."""
        null = (
            "" if self.hypothesised == 0.0 else f"against a difference of {self.hypothesised:g}, "
        )
        return (
            f"The t test ({self.alternative}, {null}alpha = {self.alpha:g}) needs {self.n_pairs} "
            f"pairs to find a mean difference of {self.mean:g} with standard deviation {self.sd:g} "
            f"with power {self.target:g}."
        )


def plan_t(
    mean: float,
    sd: float,
    *,
    hypothesised: float = 0.0,
    target: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Plan:
    """Plan a study for the paired t test.

    Parameters
    ----------
    mean, sd : float
        Expected mean and standard deviation of the differences.
    hypothesised : float
        Difference under the null hypothesis.
    target : float
        Power wanted.
    alpha, alternative
        Of the test.
    """
    effect = mean - hypothesised
    n = sample_size_t(effect, sd=sd, power=target, alpha=alpha, alternative=alternative)
    return Plan(
        n_pairs=n,
        power=power_t(n, effect / sd, alpha=alpha, alternative=alternative),
        target=target,
        mean=mean,
        sd=sd,
        hypothesised=hypothesised,
        alternative=alternative,
        alpha=alpha,
    )


def describe_plan(plan: Plan, form: str = "text") -> str:
    """Write a plan.

    Parameters
    ----------
    plan : Plan
        From `plan_t`.
    form : {"text", "markdown", "latex", "sentence"}
        How to write it; "sentence" has no table.
    """
    if form == "sentence":
        return plan.sentence + "\n"
    rows = tuple(
        (name, value if isinstance(value, str) else format_number(value))
        for name, value in dataclasses.asdict(plan).items()
        if name != "n_pairs"
    )
    table = Table(("Setting", "Value"), (("n_pairs", str(plan.n_pairs)), *rows))
    return render("Plan of a comparison", [Section("Sample size", (plan.sentence,), table)], form)
