"""Sign-flip p-values against numbers found elsewhere; sources are in permutation.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from sigcore.permutation.paired import paired_permutation_test

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "permutation.json").read_text(encoding="utf-8")
)
ENUMERATED = GOLDEN["enumerated"]["cases"]
FROM_R = GOLDEN["r"]["cases"]
INTEGER_METHODS = ("exact", "enumerate", "dp", "fft")


@pytest.mark.parametrize("method", INTEGER_METHODS)
@pytest.mark.parametrize("case", ENUMERATED, ids=lambda case: str(case["differences"]))
def test_small_cases_equal_enumeration(case: dict[str, Any], method: str) -> None:
    differences = case["differences"]
    zeros = [0] * len(differences)

    def pvalue(alternative: str, ties: str) -> float:
        return paired_permutation_test(
            differences, zeros, alternative=alternative, ties=ties, method=method
        ).pvalue

    assert pvalue("greater", "ge") == case["greater_ge"]
    assert pvalue("greater", "mid") == case["greater_mid"]
    assert pvalue("two-sided", "ge") == case["two_sided_ge"]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("tool", "ties"), [("perm.test", "ge"), ("coin", "ge"), ("coin_mid", "mid")]
)
@pytest.mark.parametrize("case", FROM_R, ids=lambda case: case["name"])
def test_p_values_equal_those_of_r(
    case: dict[str, Any], tool: str, ties: str, alternative: str
) -> None:
    result = paired_permutation_test(case["u"], case["v"], alternative=alternative, ties=ties)
    # R adds up rounded probabilities: coin and perm.test agree with each other to 5e-15.
    assert result.pvalue == pytest.approx(case[tool][alternative], rel=1e-13)


def test_darwins_maize_has_863_sums_as_large_on_each_side() -> None:
    case = next(case for case in FROM_R if case["name"] == "darwin")
    result = paired_permutation_test(case["u"], case["v"])
    assert result.pvalue * 2**15 == 2 * 863
