"""What all tests share: the root of the repository and the public data, where they are."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the workflow first: its tests are long, and at the end would leave other cores idle."""
    items.sort(key=lambda item: item.path.parent.name != "workflow")


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def public_data() -> Path:
    """Folder with public WMT, evalb and other data; without it the test is skipped."""
    if not DATA.is_dir():
        pytest.skip(f"the public data are not at {DATA}")
    return DATA
