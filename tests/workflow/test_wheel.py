"""The package works outside the checkout, as users install it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.workflow


def call(*arguments: str, folder: Path, site: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site)} if site else dict(os.environ)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the installed wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    call("-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder), folder=ROOT)
    wheel = next(folder.glob("*.whl"))
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target")
    call(*pip, str(folder / "site"), str(wheel), folder=folder)
    return folder / "site"


def test_the_installed_package_is_the_one_that_runs(site, tmp_path):
    where = call("-c", "import sigcore; print(sigcore.__file__)", folder=tmp_path, site=site)
    assert Path(where.strip()).is_relative_to(site)


def test_facts_and_template_are_in_the_wheel(site, tmp_path):
    code = (
        "from sigcore.testsets import load_testset; print(load_testset('wmt23').official);"
        "from importlib.resources import files;"
        "print(len(files('sigcore.report').joinpath('template.html').read_text()) > 1000)"
    )
    text = call("-c", code, folder=tmp_path, site=site)
    assert "en-de" in text
    assert text.endswith("True\n")


def test_the_app_runs_from_the_wheel(site, tmp_path):
    code = (
        "from sigcore.app.server import create_app; client = create_app().test_client();"
        "print(client.get('/').status_code, client.get('/rank').status_code)"
    )
    assert call("-c", code, folder=tmp_path, site=site) == "200 200\n"


def test_the_command_simulates_and_checks_an_evaluation_set(site, tmp_path):
    run = ("-m", "sigcore.cli.main")
    call(*run, "simulate", "data", "--scale", "0.05", folder=tmp_path, site=site)
    text = call(*run, "data", "check", "data", folder=tmp_path, site=site)
    assert "SimTwin" in text


def test_the_library_does_not_import_snakemake():
    found = [
        path.name
        for path in (ROOT / "sigcore").rglob("*.py")
        if "import snakemake" in path.read_text() or "from snakemake" in path.read_text()
    ]
    assert found == []
