"""Words that messages and reports share."""

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "error"), counted(2, "error")
    ('1 error', '2 errors')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
