import subprocess
import sys

import pytest

import sigcore


@pytest.mark.parametrize("name", sigcore.__all__)
def test_every_public_name_is_there_and_documented(name):
    value = getattr(sigcore, name)
    assert name == "__version__" or value.__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        sigcore.nonsense  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, sigcore; "
        "heavy = ('numpy', 'scipy', 'pandas', 'pyarrow', 'matplotlib'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
