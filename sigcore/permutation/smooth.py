"""Tails of sign-flip sums by inverting their characteristic functions, for many tests at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from sigcore.errors import InputError

__all__ = ["SmoothTail", "common_step", "resonance", "smooth_tail"]

FloatArray = npt.NDArray[np.float64]

# log cos x = -(x^2/2 + x^4/12 + x^6/45 + ...), for |x| < pi/2. The last one bounds the remainder.
_LOG_COS = (1 / 2, 1 / 12, 1 / 45, 17 / 2520, 31 / 14175, 691 / 935550, 10922 / 42567525)
_ALIAS = 7.0  # standard deviations between the observed value and its first alias
_FAR = 8.0  # beyond this many standard deviations the tail is below 2 exp(-32)
_REACHES = (8.0, 16.0, 32.0)  # last frequency, in 1 / standard deviation, tried in turn
_ENOUGH = 1e-9  # an error estimate this small needs no further frequencies
_BINS = 1 << 14  # of the histogram of differences
_PADDING = 4  # frequencies for each that the range of differences resolves
_OUTSIDE = 0.25  # a mean cosine this small is past the hump at frequency zero
_AS_GOOD = 0.95  # of the largest mean cosine: the lowest such frequency is the common one
_BLOCK = 1 << 16  # differences handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class SmoothTail:
    """Tails found by `smooth_tail`.

    Attributes
    ----------
    middle : ndarray
        ``P(S > s) + P(S = s) / 2`` of each test.
    point : ndarray
        ``P(S = s)`` of each test; 0 where no lattice was given.
    error : ndarray
        Estimated largest absolute error of `middle`.
    """

    middle: FloatArray
    point: FloatArray
    error: FloatArray


def smooth_tail(differences: npt.ArrayLike, *, spacing: npt.ArrayLike = 0.0) -> SmoothTail:
    """Find the tails of many sign-flip sums by inverting their characteristic functions.

    Parameters
    ----------
    differences : array_like, shape (tests, items)
        One row of differences a test; zeros carry no information and are allowed.
    spacing : array_like, default 0
        Distance between neighbouring values of S, one a test, where they form a lattice; else 0.

    Returns
    -------
    SmoothTail

    Notes
    -----
    The characteristic function of S is the product of ``cos(t d_n)``. Only frequencies up to about
    ``8 / sd`` matter, and at most 64 differences exceed ``sd / 8``: these keep their cosines, for
    all others the Taylor series of ``log cos`` needs six power sums. The integral of Gil-Pelaez
    (1951) is summed at midpoints, where the only discretisation error is the chance that S lies
    further than a period from s, at most ``2 exp(-7^2 / 2)`` by Hoeffding.

    The law must be smooth at the scale of its standard deviation, apart from the lattice given.
    If differences are nearly all multiples of a coarse step, it is not, and `error` does not show
    it: see `resonance`.

    References
    ----------
    Gil-Pelaez (1951), Note on the inversion theorem. Biometrika 38(3-4).
    """
    rows = np.asarray(differences, dtype=np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise InputError(
            f"`differences` must be finite and 2-dimensional (tests x items); got {rows.shape}."
        )
    steps = np.broadcast_to(np.asarray(spacing, dtype=np.float64), len(rows))
    middle, point, error = np.full(len(rows), 0.5), np.ones(len(rows)), np.zeros(len(rows))
    pending = np.flatnonzero(rows.any(axis=1))
    for reach in _REACHES:
        size = max(1, _BLOCK // rows.shape[1])
        for start in range(0, len(pending), size):
            part = pending[start : start + size]
            middle[part], point[part], error[part] = _invert(rows[part], steps[part], reach)
        pending = pending[error[pending] > _ENOUGH]
    return SmoothTail(middle=middle, point=point, error=error)


def resonance(differences: npt.ArrayLike, *, limit: float = np.inf) -> float:
    """Find how nearly all differences are multiples of a common step.

    Parameters
    ----------
    differences : array_like
        Differences of any shape; zeros are passed over.
    limit : float
        Look at frequencies below this one only: pi over the step of a known lattice.

    Returns
    -------
    float
        Largest mean of ``cos(w d)`` over frequencies w away from zero: 1 on a grid, 0.25 or a
        little more for real-valued scores, near 1 for a grid with some jitter or exceptions.

    Notes
    -----
    Since ``|cos x| <= exp(-(1 - cos 2x) / 4)``, a sign-flip sum of n such differences has a
    characteristic function of at most ``exp(-n (1 - r) / 4)`` at the frequencies seen, r being the
    value returned: what `smooth_tail` leaves out. Steps below about 1/1000 of the largest
    difference are not looked for; the lumps they leave have a mass of 1e-4 at most with a few
    hundred segments.
    """
    return _peak(differences, limit)[0]


def common_step(differences: npt.ArrayLike) -> float | None:
    """Find the largest step that nearly all differences are nearly multiples of, to a percent.

    Parameters
    ----------
    differences : array_like
        Differences of any shape; zeros are passed over.

    Returns
    -------
    float or None
        None if no frequency stands out, as `resonance` looks for them.
    """
    frequency = _peak(differences, np.inf)[1]
    return 2.0 * np.pi / frequency if frequency > 0.0 else None


def _peak(differences: npt.ArrayLike, limit: float) -> tuple[float, float]:
    """Return the largest mean cosine, and the lowest frequency about as good.

    At its multiples the mean cosine is much the same. The frequency is 0 if none is past the hump
    at zero and above `_OUTSIDE`: where the cosine still falls there is no peak.
    """
    sizes = np.abs(np.asarray(differences, dtype=np.float64))
    sizes = sizes[sizes > 0.0]
    if not sizes.size:
        return 1.0, 0.0
    width = float(sizes.max()) / (_BINS - 1)
    histogram = np.bincount(np.rint(sizes / width).astype(np.int64), minlength=_BINS)
    mean_cosine = np.fft.rfft(histogram, _PADDING * _BINS).real / sizes.size
    step = 2.0 * np.pi / (_PADDING * _BINS * width)
    # Above 1 / (2 width) rounding to bins would blur the cosines.
    mean_cosine = mean_cosine[: int(min(0.5 / width, limit) / step) + 1]
    outside = np.flatnonzero(mean_cosine < _OUTSIDE)
    if not outside.size:
        return 1.0, 0.0
    beyond = mean_cosine[outside[0] :]
    # The curvature is at most the mean square, so a peak between two frequencies is below this.
    peak = float(beyond.max() + np.square(sizes * step).mean() / 8.0)
    as_good = np.flatnonzero(beyond >= max(_OUTSIDE, _AS_GOOD * float(beyond.max())))
    frequency = float(outside[0] + as_good[0]) * step if as_good.size else 0.0
    return min(1.0, max(_OUTSIDE, peak)), frequency


def _invert(
    rows: FloatArray, spacing: FloatArray, reach: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sum the Gil-Pelaez integral up to the frequency `reach` / sd; see `smooth_tail`."""
    s = rows.sum(axis=1)
    scaled = rows * rows
    sd = np.sqrt(scaled.sum(axis=1))
    distance = np.minimum(np.abs(s / sd), _FAR) + _ALIAS
    step = 2.0 * np.pi / (distance * sd)
    # As many as the widest distance needs, so that no row's sum depends on the other rows.
    n_nodes = int(np.ceil(reach * (_FAR + _ALIAS) / (2.0 * np.pi)))
    t = step[:, None] * (np.arange(n_nodes) + 0.5)
    scaled *= np.square(reach / sd)[:, None]
    inside = t <= np.minimum(reach / sd, _period(spacing))[:, None]
    tau = np.square(t * (sd / reach)[:, None])
    phi, remainder, envelope = _characteristic(rows, scaled, t, tau)
    phi[~inside] = 0.0
    weight = _kernel(t, spacing) * step[:, None] / np.pi
    middle = 0.5 - np.vecdot(np.sin(t * s[:, None]), phi * weight)
    point = spacing * step / np.pi * np.vecdot(np.cos(t * s[:, None]), phi)
    error = np.vecdot(np.abs(phi * weight), remainder)
    error += np.maximum(_last(phi * weight, inside), envelope)
    error += 2.0 * np.exp(-(_ALIAS**2) / 2.0)
    far = np.abs(s) > _FAR * sd
    middle[far], point[far], error[far] = ndtr(-s[far] / sd[far]), 0.0, np.exp(-(_FAR**2) / 2.0)
    return np.clip(middle, 0.0, 1.0), np.clip(point, 0.0, 1.0), error


def _period(spacing: FloatArray) -> FloatArray:
    """Return the frequency from which the characteristic function of a lattice law repeats."""
    with np.errstate(divide="ignore"):
        return np.pi / spacing


def _kernel(t: FloatArray, spacing: FloatArray) -> FloatArray:
    """Return 1 / t, or its sum over the periods of a lattice law."""
    half = spacing[:, None] / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(half > 0.0, half / np.tan(half * t), 1.0 / t)


def _characteristic(
    rows: FloatArray, scaled: FloatArray, t: FloatArray, tau: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the product of cosines at `t`, a bound of the error of its logarithm, and its size.

    `scaled` has the squares of (last frequency x difference), `tau` of (t / last frequency). The
    size is that at the last frequency, with the root mean square of each cosine that has turned
    by more than 1: unlike a single value it does not vanish by chance.
    """
    test, item = np.divmod(np.flatnonzero(scaled > 1.0), scaled.shape[1])
    scaled[test, item] = 0.0
    sums = _power_sums(scaled)
    exponent = np.zeros_like(t)
    for coefficient, power_sum in zip(_LOG_COS[-2::-1], sums[::-1], strict=True):
        exponent = (exponent + coefficient * power_sum[:, None]) * tau
    phi = np.exp(-exponent)
    if len(test):
        owners, starts = np.unique(test, return_index=True)
        cosines = np.cos(t[test] * rows[test, item][:, None])
        phi[owners] *= np.multiply.reduceat(cosines, starts, axis=0)
    # The coefficients fall by (2 / pi)^2 at most, so the rest of the series is below this.
    remainder = _LOG_COS[-1] / (1.0 - 4.0 / np.pi**2) * sums[-1][:, None] * tau ** len(_LOG_COS)
    n_large = np.bincount(test, minlength=len(rows))
    at_last = sum(c * sums_k for c, sums_k in zip(_LOG_COS[:-1], sums, strict=True))
    return phi, remainder, np.exp(-at_last) * 0.5 ** (n_large / 2.0)


def _power_sums(x: FloatArray) -> list[FloatArray]:
    """Return the row sums of x, x^2, ..., x^6."""
    x2 = x * x
    x3 = x2 * x
    factors = ((x, x), (x2, x), (x2, x2), (x2, x3), (x3, x3))
    return [x.sum(axis=1), *(np.vecdot(left, right) for left, right in factors)]


def _last(terms: FloatArray, inside: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the larger of the last two terms kept: an estimate of what was cut off."""
    n_inside = inside.sum(axis=1, keepdims=True)
    recent = inside & (np.arange(terms.shape[1]) >= n_inside - 2)
    largest: FloatArray = np.where(recent, np.abs(terms), 0.0).max(axis=1)
    return largest
