"""How often block partitions keep their bound, on simulated even and skewed corpora.

Usage: python benchmarks/block_balance.py
"""

import time

import numpy as np

from sigcore.bayes.partition import block_partition

# Items, units and corpora of each kind.
SIZES = (
    (100, 5, 12),
    (200, 5, 12),
    (400, 20, 12),
    (2000, 20, 12),
    (2000, 100, 5),
    (200, 20, 12),
    (1000, 100, 5),
)


def poisson(rng, n, d):
    return rng.poisson(0.4, (n, d))


def zipf(rng, n, d):
    share = 1 / np.arange(1, d + 1)
    return rng.multinomial(rng.geometric(1 / 20, n), share / share.sum())


def heavy_tailed(rng, n, d):
    return np.minimum(np.floor(rng.pareto(1.1, (n, d))), 500)


def entities(rng, n, _):
    length = rng.geometric(1 / 15, n)
    burst = rng.gamma(0.5, 2, (n, 1))
    kinds = rng.poisson(length[:, None] * np.array([0.05, 0.04, 0.03, 0.002]) * burst)
    return np.column_stack([kinds, length, np.ones(n)])


def rare(rng, n, d):
    return rng.random((n, d)) < 1.5 / n * np.arange(1, d + 1)


def main() -> None:
    totals = {True: [0, 0], False: [0, 0]}
    print(f"{'corpus':14}{'m':>3}{'items':>7}{'units':>7}{'beyond':>10}{'seconds':>9}")
    for corpus in (poisson, zipf, heavy_tailed, entities, rare):
        for m in (3, 5):
            for n, d, n_corpora in SIZES:
                start, beyond = time.process_time(), 0
                for seed in range(n_corpora):
                    rng = np.random.default_rng(1000 * seed + n + d)
                    units = np.asarray(corpus(rng, n, d), dtype=float)
                    partition = block_partition(units, n_repetitions=m, seed=seed)
                    beyond += bool(partition.unbalanced_units)
                seconds = (time.process_time() - start) / n_corpora
                share = f"{beyond}/{n_corpora}"
                print(f"{corpus.__name__:14}{m:3}{n:7}{d:7}{share:>10}{seconds:9.3f}")
                totals[n >= 20 * d][0] += beyond
                totals[n >= 20 * d][1] += n_corpora
    for enough, text in ((True, "20 times or more"), (False, "10 times")):
        beyond, n_corpora = totals[enough]
        print(f"{text} as many items as units: {beyond} of {n_corpora} corpora beyond the bound")


if __name__ == "__main__":
    main()
