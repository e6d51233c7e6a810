"""All pairs of several parsers, corrected."""

import itertools

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.parsing.compare import compare_parsers
from sigcore.parsing.many import compare_all
from sigcore.parsing.scores import summarise
from sigcore.parsing.simulate import simulate_parsers

PARSERS = simulate_parsers(60, recalls=(0.9, 0.85, 0.86, 0.6))


def holm(pvalues):
    """Holm's step-down procedure as his paper states it, one rejection after the other."""
    order = sorted(range(len(pvalues)), key=lambda index: pvalues[index])
    adjusted = [0.0] * len(pvalues)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(pvalues) - rank) * pvalues[index]))
        adjusted[index] = largest
    return adjusted


def test_every_pair_is_compared_once_two_sided_and_corrected():
    result = compare_all(PARSERS, measure="f1")
    expected = [
        compare_parsers(a, b, alternative="two-sided")["f1"].pvalue
        for a, b in itertools.combinations(PARSERS, 2)
    ]
    assert [pair.pvalue for pair in result.pairs] == expected
    assert [pair.adjusted for pair in result.pairs] == pytest.approx(holm(expected), rel=1e-12)
    assert [(pair.name_a, pair.name_b) for pair in result.pairs][:3] == [
        ("parser-1", "parser-2"),
        ("parser-1", "parser-3"),
        ("parser-1", "parser-4"),
    ]
    assert result.values == pytest.approx([summarise(parser).f1 for parser in PARSERS])


def test_corrections_differ_as_they_should():
    none, bonferroni, bh = (
        np.array([pair.adjusted for pair in compare_all(PARSERS, correction=name).pairs])
        for name in ("none", "bonferroni", "bh")
    )
    assert np.array_equal(bonferroni, np.minimum(1, 6 * none))
    assert np.all((none <= bh) & (bh <= bonferroni))


def test_matrices_have_parsers_as_rows_and_columns():
    result = compare_all(PARSERS)
    adjusted, difference = result.matrix(), result.matrix("difference")
    assert np.isnan(np.diag(adjusted)).all()
    assert adjusted[0, 3] == adjusted[3, 0] == result.pairs[2].adjusted
    assert difference[0, 3] == -difference[3, 0] == result.pairs[2].difference
    assert difference[0, 3] > 0


def test_options_reach_the_comparison():
    result = compare_all(PARSERS, measure="recall", cutoff=25, method="shuffle", n_shuffles=99)
    assert result.pairs[0].n_sentences == np.count_nonzero(PARSERS[0].length <= 25)
    assert (100 * result.pairs[0].pvalue) == pytest.approx(round(100 * result.pairs[0].pvalue))
    observed = compare_all(PARSERS, alternative="observed", correction="none")
    for one, both in zip(observed.pairs, compare_all(PARSERS).pairs, strict=True):
        assert 2 * one.pvalue == pytest.approx(both.pvalue, rel=1e-9)


def test_records_are_flat():
    records = compare_all(PARSERS).to_records()
    assert len(records) == 6
    assert records[0]["correction"] == "holm"
    assert records[0]["name_b"] == "parser-2"


@pytest.mark.parametrize(
    ("parsers", "options", "message"),
    [
        (PARSERS[:1], {}, "`parsers` must have at least 2 entries; got 1"),
        ((PARSERS[0], PARSERS[0]), {}, "must have different names; 'parser-1' comes twice"),
        (PARSERS, {"correction": "x"}, "`correction` must be one of"),
        (PARSERS, {"alternative": "greater"}, "`alternative` must be one of 'two-sided'"),
        (PARSERS, {"measure": "x"}, "`measures` must be one of 'recall'"),
    ],
)
def test_what_cannot_be_compared_is_refused(parsers, options, message):
    with pytest.raises(InputError, match=message):
        compare_all(parsers, **options)
