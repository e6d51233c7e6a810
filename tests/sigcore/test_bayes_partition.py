from itertools import combinations

import numpy as np
import pytest

from sigcore.bayes.orthogonal import block_design, hadamard_matrix
from sigcore.bayes.partition import block_partition, count_units
from sigcore.errors import InputError


def poisson(rng, n, d):
    return rng.poisson(0.4, (n, d))


def zipf(rng, n, d):
    """Tokens of d types with frequencies 1, 1/2, 1/3, ... in sentences of geometric length."""
    share = 1 / np.arange(1, d + 1)
    return rng.multinomial(rng.geometric(1 / 20, n), share / share.sum())


def heavy_tailed(rng, n, d):
    """A few items carry most of the occurrences."""
    return np.minimum(np.floor(rng.pareto(1.1, (n, d))), 500)


def entities(rng, n, _):
    """Four entity types that come in bursts, sentence lengths and a constant."""
    length = rng.geometric(1 / 15, n)
    burst = rng.gamma(0.5, 2, (n, 1))
    kinds = rng.poisson(length[:, None] * np.array([0.05, 0.04, 0.03, 0.002]) * burst)
    return np.column_stack([kinds, length, np.ones(n)])


def rare(rng, n, d):
    """Units that occur a handful of times in the whole corpus."""
    return rng.random((n, d)) < 1.5 / n * np.arange(1, d + 1)


@pytest.mark.parametrize("m", range(1, 32))
def test_design_is_an_orthogonal_array(m):
    design = block_design(m)
    assert np.all(design.sum(axis=0) * 2 == len(design))
    for one, other in combinations(range(m), 2):
        assert np.sum(design[:, one] & design[:, other]) * 4 == len(design)


def test_design_of_three_repetitions_is_table_1():
    # Wang & Li (2019): training sets B1 B2, B1 B3, B2 B3.
    training = [np.flatnonzero(column) + 1 for column in block_design(3).T]
    assert [list(blocks) for blocks in training] == [[1, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize(("m", "blocks"), [(1, 2), (2, 4), (3, 4), (5, 8), (7, 8), (8, 12)])
def test_number_of_blocks(m, blocks):
    assert len(block_design(m)) == blocks


@pytest.mark.parametrize("order", [2, 4, 12, 20, 24, 40])
def test_rows_of_a_hadamard_matrix_are_orthogonal(order):
    matrix = hadamard_matrix(order)
    assert len(matrix) == order
    np.testing.assert_array_equal(matrix @ matrix.T, order * np.eye(order))


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_every_item_is_validated_exactly_m_times_and_never_trained_on_then(
    m,
):
    rng = np.random.default_rng(0)
    partition = block_partition(poisson(rng, 203, 4), n_repetitions=m, seed=1)
    validated = np.zeros(203, dtype=int)
    folds = list(partition.folds())
    for fold in folds:
        validated[fold.validation] += 1
        together = np.sort(np.concatenate([fold.training, fold.validation]))
        np.testing.assert_array_equal(together, np.arange(203))
    assert np.all(validated == m)
    assert [(f.repetition, f.fold) for f in folds] == [(r + 1, k) for r in range(m) for k in (1, 2)]


def test_training_sets_of_two_repetitions_share_a_quarter():
    partition = block_partition(np.ones((400, 1)))
    first = [fold.training for fold in partition.folds()][::2]
    for one, other in combinations(first, 2):
        assert len(np.intersect1d(one, other)) == 100


def test_block_sizes_differ_by_one_at_most():
    sizes = np.bincount(block_partition(np.random.default_rng(1).poisson(1, (1003, 6))).block)
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("corpus", [poisson, zipf, heavy_tailed, entities, rare])
@pytest.mark.parametrize(("n", "d"), [(200, 5), (2000, 20), (2000, 100), (8000, 20)])
@pytest.mark.parametrize("m", [3, 5])
def test_halves_differ_by_no_more_than_the_bound(corpus, n, d, m):
    # Twenty items or more for each unit: the stated condition.
    units = np.asarray(corpus(np.random.default_rng(n + d), n, d), dtype=float)
    partition = block_partition(units, n_repetitions=m, seed=0)
    limit = len(partition.design) / 2 * units.max(axis=0)
    for fold in partition.folds():
        gap = units[fold.training].sum(axis=0) - units[fold.validation].sum(axis=0)
        assert np.all(np.abs(gap) <= limit)
    assert partition.unbalanced_units == ()


@pytest.mark.parametrize("corpus", [poisson, zipf, entities])
def test_blocks_are_closer_than_at_random(corpus):
    rng = np.random.default_rng(7)
    units = np.asarray(corpus(rng, 2000, 10), dtype=float)
    random = rng.permutation(np.arange(2000) % 4)
    totals = np.stack([units[random == block].sum(axis=0) for block in range(4)])
    by_chance = np.abs((2 * block_design(3) - 1.0).T @ totals).max(axis=0) / units.sum(axis=0)
    assert block_partition(units).relative_differences.mean() < by_chance.mean() / 5


def test_report_agrees_with_a_recount():
    units = np.random.default_rng(5).poisson(0.7, (150, 3)).astype(float)
    partition = block_partition(units, unit_names=["PER", "LOC", "ORG"])
    gaps = [
        units[fold.training].sum(axis=0) - units[fold.validation].sum(axis=0)
        for fold in partition.folds()
        if fold.fold == 1
    ]
    np.testing.assert_array_equal(partition.differences, gaps)
    expected = np.abs(gaps).max(axis=0) / units.sum(axis=0)
    np.testing.assert_allclose(partition.relative_differences, expected)
    np.testing.assert_array_equal(partition.bounds, 2 * units.max(axis=0))


def test_hopeless_units_are_named():
    # Six items, twelve units of which each occurs in two items: no freedom to balance all.
    pairs = list(combinations(range(6), 2))[:12]
    units = np.zeros((6, 12))
    for column, pair in enumerate(pairs):
        units[list(pair), column] = 1
    units[0, 0] = units[1, 0] = 1
    partition = block_partition(units)
    over = np.abs(partition.differences).max(axis=0) > 2
    assert partition.unbalanced_units == tuple(str(i) for i in np.flatnonzero(over))


def test_a_unit_that_never_occurs_is_balanced():
    partition = block_partition(np.column_stack([np.ones(8), np.zeros(8)]))
    assert partition.relative_differences.tolist() == [0.0, 0.0]


def test_seed_fixes_the_partition():
    units = np.random.default_rng(2).poisson(1, (300, 4))
    blocks = [block_partition(units, seed=seed).block for seed in (0, 0, 1)]
    np.testing.assert_array_equal(blocks[0], blocks[1])
    assert np.any(blocks[0] != blocks[2])


def test_labels_are_counted():
    labels = [["PER", "ORG", "PER"], [], ["MISC"]]
    matrix, names = count_units(labels)
    assert names == ("MISC", "ORG", "PER")
    assert matrix.tolist() == [[0, 1, 2], [0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (np.ones((3, 2)), "at least 4 items"),
        (-np.ones((8, 1)), "at least 0; found -1.0 in item 0, unit 0"),
        (np.full((8, 1), np.nan), "found nan"),
        (np.ones(8), "2-dimensional"),
    ],
)
def test_bad_units_are_refused(units, text):
    with pytest.raises(InputError, match=text):
        block_partition(units)


def test_bad_names_and_repetitions_are_refused():
    with pytest.raises(InputError, match="`unit_names`"):
        block_partition(np.ones((8, 2)), unit_names=["PER"])
    with pytest.raises(InputError, match="`n_repetitions`"):
        block_partition(np.ones((8, 2)), n_repetitions=0)
