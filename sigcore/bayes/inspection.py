"""Where the folds of two models contradict what the posteriors are derived from."""

import numpy as np

from sigcore.bayes.folds import FoldCounts

__all__ = ["inspect_folds"]

# The derivation needs TP + FN = n+/2 in each fold; a fold further off than this is reported.
HALF_TOLERANCE = 0.05


def inspect_folds(
    folds_a: FoldCounts, folds_b: FoldCounts, *, tolerance: float = HALF_TOLERANCE
) -> tuple[str, ...]:
    """Say where the folds contradict what the posterior is derived from.

    Parameters
    ----------
    folds_a, folds_b : FoldCounts
        The two models.
    tolerance : float
        Relative distance of TP + FN from n+/2 above which a fold is reported.

    Returns
    -------
    tuple of str
        One sentence with the figures for each contradiction; empty when there is none.
    """
    different = np.argwhere(folds_a.positives != folds_b.positives)
    if not len(different):
        return tuple(_inspect_positives(folds_a, "models A and B", tolerance))
    repetition, fold = different[0]
    return (
        *_inspect_positives(folds_a, "model A", tolerance),
        *_inspect_positives(folds_b, "model B", tolerance),
        f"models A and B have different positives (TP + FN) in {len(different)} of "
        f"{folds_a.n_folds} folds, first in repetition {repetition + 1}, fold {fold + 1}: "
        f"{folds_a.positives[repetition, fold]} and {folds_b.positives[repetition, fold]}; "
        "they should be validated on the same folds",
    )


def _inspect_positives(folds: FoldCounts, whose: str, tolerance: float) -> list[str]:
    positives = folds.positives
    per_repetition = positives.sum(axis=1)
    flags = []
    if not per_repetition.any():
        flags.append(f"{whose}: no positives (TP + FN = 0 in all folds)")
    if np.any(per_repetition != per_repetition[0]):
        listed = ", ".join(str(total) for total in per_repetition)
        flags.append(
            f"{whose}: the repetitions have different positives n+ ({listed}); each should "
            "validate every item once"
        )
    half = per_repetition[:, None] / 2
    for repetition, fold in np.argwhere(np.abs(positives - half) > tolerance * half):
        expected = half[repetition, 0]
        observed = positives[repetition, fold]
        flags.append(
            f"{whose}: repetition {repetition + 1}, fold {fold + 1} has TP + FN = {observed} "
            f"where n+/2 = {expected:g} ({observed / expected - 1:+.1%}); the posterior assumes "
            "equal halves"
        )
    return flags
