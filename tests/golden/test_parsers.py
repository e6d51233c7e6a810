"""Thirteen parsers on ten sentences, against all 1,024 swaps; two PCFG parsers on 184 sentences."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from sigcore.io.evalb import read_evalb
from sigcore.parsing.compare import compare_parsers

DATA = Path(__file__).parents[3] / "shared" / "data" / "evalb"

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not DATA.exists(), reason="the public evalb files are not here"),
]

MEASURES = ("recall", "precision", "f1", "complete_match", "crossing")


def counts(path):
    """Return matched, gold, test and crossing of each sentence, read without sigcore."""
    rows = [line.split() for line in path.read_text().splitlines()]
    rows = [row for row in rows if len(row) == 12 and row[0].isdigit()]
    return np.array([[int(row[place]) for place in (5, 6, 7, 8)] for row in rows])


def parts(table):
    """Return numerator and denominator of each measure, sentence by sentence."""
    matched, gold, test, crossing = table.T
    complete = ((matched == gold) & (matched == test)).astype(int)
    one = np.ones_like(matched)
    return {
        "recall": (matched, gold),
        "precision": (matched, test),
        "f1": (2 * matched, gold + test),
        "complete_match": (complete, one),
        "crossing": (crossing, one),
    }


SWAPS = np.array(list(itertools.product((0, 1), repeat=10)))


def enumerated(first, second):
    """Return one-sided and two-sided p-values over all swaps, in whole numbers."""
    (top_a, bottom_a), (top_b, bottom_b) = first, second
    tops_a = SWAPS @ top_b + (1 - SWAPS) @ top_a
    tops_b = SWAPS @ top_a + (1 - SWAPS) @ top_b
    bottoms_a = SWAPS @ bottom_b + (1 - SWAPS) @ bottom_a
    bottoms_b = SWAPS @ bottom_a + (1 - SWAPS) @ bottom_b
    # The difference of two fractions, as a fraction; the first row of swaps swaps nothing.
    top = tops_a * bottoms_b - tops_b * bottoms_a
    bottom = bottoms_a * bottoms_b
    if top[0] >= 0:
        one_sided = top * bottom[0] >= top[0] * bottom
    else:
        one_sided = top * bottom[0] <= top[0] * bottom
    two_sided = np.abs(top) * bottom[0] >= np.abs(top[0]) * bottom
    return one_sided.mean(), two_sided.mean()


def thirteen():
    return sorted((DATA / "thirteen-parsers").glob("*.evalb"))


def test_all_pairs_of_thirteen_parsers_agree_with_enumeration():
    tables = {path: parts(counts(path)) for path in thirteen()}
    scores = {path: read_evalb(path).scores for path in thirteen()}
    pairs = list(itertools.combinations(tables, 2))
    assert len(pairs) == 78
    for a, b in pairs:
        one_sided = compare_parsers(scores[a], scores[b])
        two_sided = compare_parsers(scores[a], scores[b], alternative="two-sided")
        for measure in MEASURES:
            expected = enumerated(tables[a][measure], tables[b][measure])
            found = one_sided[measure].pvalue, two_sided[measure].pvalue
            assert found == pytest.approx(expected, rel=0, abs=1e-12), (a.stem, b.stem, measure)


# Enumeration over 2^10 swaps; R, P, F1, two-sided. Towards the observed side it is half of this.
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("berkeley", "bikel"), (0.265625, 0.640625, 0.328125)),
        (("charniak_selftrained_basic", "collins.1"), (0.140625, 0.109375, 0.109375)),
    ],
)
def test_two_pairs_have_their_known_values(names, expected):
    a, b = (read_evalb(DATA / "thirteen-parsers" / f"{name}.evalb").scores for name in names)
    measures = ("recall", "precision", "f1")
    both = compare_parsers(a, b, measures=measures, alternative="two-sided")
    one = compare_parsers(a, b, measures=measures)
    assert [both[measure].pvalue for measure in measures] == pytest.approx(expected, abs=1e-12)
    assert [2 * one[measure].pvalue for measure in measures] == pytest.approx(expected, abs=1e-12)
    assert {entry.alternative for entry in one.measures} == {"greater"}


def pcfg():
    return [read_evalb(DATA / f"pcfg-{name}.evalb").scores for name in ("plain", "parent-h1")]


def test_the_exact_values_of_the_pcfg_parsers_lie_in_the_intervals_of_shuffling():
    # 10,000 shuffles gave 0.0002, 0.054 and 0.003 for recall, precision and F1, two-sided.
    for alternative in ("observed", "two-sided"):
        exact = compare_parsers(*pcfg(), alternative=alternative)
        shuffled = compare_parsers(
            *pcfg(), alternative=alternative, method="shuffle", n_shuffles=100_000
        )
        for entry in shuffled.measures:
            assert entry.interval_low <= exact[entry.measure].pvalue <= entry.interval_high
    known = {"recall": 0.0002, "precision": 0.054, "f1": 0.003}
    for measure, value in known.items():
        pvalue = exact[measure].pvalue
        assert abs(value - pvalue) < 3 * np.sqrt(pvalue * (1 - pvalue) / 10_000) + 1e-4


def test_recall_of_the_pcfg_parsers_agrees_with_counting_subsets_in_whole_numbers():
    # Recall has a fixed denominator, so its p-value is a count of signed sums: big integers.
    a, b = pcfg()
    law = {0: 1}
    for step in (a.matched - b.matched).tolist():
        grown: dict[int, int] = {}
        for total, ways in law.items():
            grown[total + step] = grown.get(total + step, 0) + ways
            grown[total - step] = grown.get(total - step, 0) + ways
        law = grown
    observed = int((a.matched - b.matched).sum())
    tail = sum(ways for total, ways in law.items() if total <= observed)
    expected = Fraction(tail, 2**184)
    result = compare_parsers(a, b, measures=["recall"])["recall"]
    assert result.alternative == "less"
    assert result.pvalue == pytest.approx(float(expected), rel=1e-10)


def test_the_original_script_on_rounded_percentages_differs_only_by_rounding():
    # All swaps of berkeley and bikel give 0.109375 and 0.3203125 from rounded percentages,
    # against 0.1328125 and 0.3203125 from counts: rounding breaks ties of recall.
    a, b = (
        read_evalb(DATA / "thirteen-parsers" / f"{name}.evalb").scores
        for name in ("berkeley", "bikel")
    )
    options = {"method": "shuffle", "n_shuffles": 40_000, "not_scored": "keep"}
    rounded = compare_parsers(a, b, rounded=True, **options)
    counted = compare_parsers(a, b, measures=["recall", "precision"], **options)
    assert rounded["recall"].interval_low <= 0.109375 <= rounded["recall"].interval_high
    assert counted["recall"].interval_low <= 0.1328125 <= counted["recall"].interval_high
    for result in (rounded, counted):
        assert result["precision"].interval_low <= 0.3203125 <= result["precision"].interval_high
    assert rounded["recall"].value_a == pytest.approx(counted["recall"].value_a, abs=5e-5)
