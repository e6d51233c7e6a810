"""Signed ranks of differences, with the ways to treat zeros."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.validation import FloatArray

__all__ = ["ZEROS", "SignedRanks", "signed_ranks"]

ZEROS = ("wilcox", "pratt", "zsplit")


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Ranks of the sizes of differences, row by row.

    Attributes
    ----------
    ranks : ndarray of shape (samples, n)
        Mid-ranks in increasing order; 0 for differences that are zero.
    positive : ndarray of shape (samples,)
        W+, the sum of the ranks of positive differences.
    split : ndarray of shape (samples,)
        The part of W+ that stands for zeros, with "zsplit".
    mean, variance : ndarray of shape (samples,)
        Of W+ under the null hypothesis; ties are in the variance, since the ranks are mid-ranks.
    n_used : ndarray of shape (samples,)
        Number of differences that are not zero.
    """

    ranks: FloatArray
    positive: FloatArray
    split: FloatArray
    mean: FloatArray
    variance: FloatArray
    n_used: npt.NDArray[np.int64]

    @property
    def z(self) -> FloatArray:
        """W+ standardised, without continuity correction; 0 where all differences are zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = (self.positive - self.mean) / np.sqrt(self.variance)
        return np.where(self.variance > 0.0, scaled, 0.0)


def signed_ranks(rows: FloatArray, *, zeros: str = "wilcox") -> SignedRanks:
    """Rank the sizes of the differences of each row.

    Parameters
    ----------
    rows : ndarray of shape (samples, n)
        Differences.
    zeros : {"wilcox", "pratt", "zsplit"}
        As for `wilcoxon_test`.
    """
    sizes, is_positive = _by_size(rows)
    ranks = _midranks(sizes)
    is_zero = sizes == 0.0
    n_zero = is_zero.sum(axis=1)
    if zeros == "wilcox":
        ranks -= n_zero[:, None]
    kept = np.where(is_zero, 0.0, ranks)
    random_sign = ranks if zeros == "zsplit" else kept
    split = (random_sign - kept).sum(axis=1) / 2.0
    return SignedRanks(
        ranks=kept,
        positive=np.where(is_positive, ranks, 0.0).sum(axis=1) + split,
        split=split,
        mean=random_sign.sum(axis=1) / 2.0,
        variance=np.square(random_sign).sum(axis=1) / 4.0,
        n_used=rows.shape[1] - n_zero,
    )


def _by_size(rows: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return the sizes of each row in increasing order, and which of them are positive.

    The bits of a float that is not negative rise with it and leave the first one free, so size and
    sign make one whole number, and one sort does for both.
    """
    one = np.uint64(1)
    keys = (np.abs(rows).view(np.uint64) << one) | (rows > 0.0)
    keys.sort(axis=1)
    return (keys >> one).view(np.float64), (keys & one).astype(bool)


def _midranks(ordered: FloatArray) -> FloatArray:
    """Return the ranks of sorted rows, from 1, equal values with the mean of their ranks."""
    n_rows, n = ordered.shape
    starts = np.ones((n_rows, n), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.flatnonzero(starts)
    sizes = np.diff(first, append=n_rows * n)
    return np.repeat(first % n + (sizes + 1) / 2.0, sizes).reshape(n_rows, n)
