"""Random generators from a seed and from what is computed, never from the order of jobs.

A generator is made from the user's seed and the names of what it is used for, so two jobs that
compute the same thing draw the same numbers, whatever ran before them and on however many cores.
"""

import hashlib

import numpy as np

from sigcore.validation import as_count

__all__ = ["generator"]


def generator(seed: int, *purpose: str) -> np.random.Generator:
    """Make a generator for one purpose.

    Parameters
    ----------
    seed : int
        The user's seed; 0 is a seed like any other.
    *purpose : str
        What the numbers are for, for example ``"perm-inputs", "wmt22", "en-de"``.

    Returns
    -------
    numpy.random.Generator
        The same for the same arguments on every machine.

    Examples
    --------
    >>> float(generator(0, "demo").random()) == float(generator(0, "demo").random())
    True
    >>> float(generator(0, "demo").random()) == float(generator(0, "other").random())
    False
    """
    entropy = [as_count(seed, "seed")]
    if purpose:
        digest = hashlib.sha256("\x1f".join(purpose).encode()).digest()
        entropy.extend(np.frombuffer(digest[:16], dtype="<u4").tolist())
    return np.random.default_rng(np.random.SeedSequence(entropy))
