"""Power of the paired t test in closed form, to plan the size of a study."""

import math

from scipy.special import stdtrit

from sigcore.comparison.noncentral import noncentral_t_cdf
from sigcore.comparison.results import ALTERNATIVES
from sigcore.errors import InputError
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["detectable_effect_t", "power_t", "sample_size_t"]

_LARGEST = 10**9


def power_t(n: int, effect: float, *, alpha: float = 0.05, alternative: str = "two-sided") -> float:
    """Return the power of the paired t test.

    Parameters
    ----------
    n : int
        Number of pairs, at least 2.
    effect : float
        True mean difference in standard deviations of the differences.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        Direction.

    Returns
    -------
    float
        Chance of p < alpha, from the noncentral t distribution.

    Examples
    --------
    >>> round(power_t(34, 0.5), 4)
    0.8078
    """
    as_count(n, "n", minimum=2)
    as_probability(alpha, "alpha")
    as_choice(alternative, "alternative", ALTERNATIVES)
    return _power(n, _as_effect(effect), alpha, alternative)


def sample_size_t(
    effect: float,
    *,
    sd: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> int:
    """Return the number of pairs the paired t test needs to reach a power.

    Parameters
    ----------
    effect : float
        Expected mean difference.
    sd : float
        Expected standard deviation of the differences; 1 if `effect` is already standardised.
    power : float
        Power wanted.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        Direction.

    Returns
    -------
    int
        The smallest number with at least that power.

    Examples
    --------
    >>> [sample_size_t(d) for d in (0.1, 0.2, 0.5, 0.8, 1.2)]
    [787, 199, 34, 15, 8]
    """
    as_probability(power, "power")
    as_probability(alpha, "alpha")
    as_choice(alternative, "alternative", ALTERNATIVES)
    if not (math.isfinite(sd) and sd > 0.0):
        raise InputError(f"`sd` must be positive; got {sd}.")
    standardised = _as_effect(effect) / sd
    wrong_side = {"two-sided": standardised == 0.0, "greater": standardised <= 0.0}
    if wrong_side.get(alternative, standardised >= 0.0):
        raise InputError(
            f"`effect` must lie on the side of the alternative {alternative!r}; got {effect}."
        )
    low, high = 1, 2
    while _power(high, standardised, alpha, alternative) < power:
        low, high = high, 2 * high
        if high > _LARGEST:
            raise InputError(f"`effect` is too small to detect with {_LARGEST:,} pairs: {effect}.")
    while high - low > 1:
        middle = (low + high) // 2
        if _power(middle, standardised, alpha, alternative) < power:
            low = middle
        else:
            high = middle
    return high


def detectable_effect_t(
    n: int,
    *,
    sd: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    """Return the smallest mean difference that the paired t test finds with a given power.

    Parameters
    ----------
    n : int
        Number of pairs, at least 2.
    sd : float
        Standard deviation of the differences.
    power, alpha, alternative
        As for `sample_size_t`; `power` must exceed `alpha`.

    Returns
    -------
    float
        In the unit of `sd`; positive for either direction.
    """
    as_count(n, "n", minimum=2)
    as_probability(power, "power")
    as_probability(alpha, "alpha")
    as_choice(alternative, "alternative", ALTERNATIVES)
    if power <= alpha:
        raise InputError(f"`power` must exceed `alpha`; got {power} and {alpha}.")
    side = "two-sided" if alternative == "two-sided" else "greater"
    low, high = 0.0, 1.0
    while _power(n, high, alpha, side) < power:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = (low + high) / 2.0
        if _power(n, middle, alpha, side) < power:
            low = middle
        else:
            high = middle
    return sd * high


def _as_effect(effect: float) -> float:
    if not math.isfinite(effect):
        raise InputError(f"`effect` must be finite; got {effect}.")
    return float(effect)


def _power(n: int, effect: float, alpha: float, alternative: str) -> float:
    if n < 2:
        return 0.0
    if alternative == "less":
        effect = -effect
    centre = effect * math.sqrt(n)
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    critical = -float(stdtrit(n - 1, tail))
    # By symmetry P(T >= c | m) = P(T <= -c | -m), which keeps a small power accurate.
    found = noncentral_t_cdf(-critical, n - 1, -centre)
    if alternative == "two-sided":
        found += noncentral_t_cdf(-critical, n - 1, centre)
    return min(found, 1.0)
