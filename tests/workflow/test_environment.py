"""The three lists of packages, pyproject.toml, requirements.lock and environment.yml, agree."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[A-Za-z0-9_.-]+")


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return project["dependencies"] + [
        requirement for extra in extras if extra != "dev" for requirement in extras[extra]
    ]


def environment() -> dict[str, str]:
    content = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    return dict(entry.split("=", 1) for entry in content["dependencies"])


def locked() -> dict[str, str]:
    """Versions for Python 3.11, the one of environment.yml."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = {}
    for name, version, marker in re.findall(r"^([\w.-]+)==(\S+)(?: ; ([^\\\n]+))?", lock, re.M):
        if ">= '3.12'" not in marker:
            found[name.lower()] = version
    return found


def test_environment_names_what_the_library_and_the_workflow_need():
    needed = {NAME.match(requirement).group().lower() for requirement in requirements()}
    assert set(environment()) == needed | {"python"}


def test_environment_pins_the_locked_minor_versions():
    versions = locked()
    for name, pin in environment().items():
        if name != "python":
            assert versions[name].split(".")[:2] == pin.split("."), name


def test_the_lock_satisfies_the_lower_bounds():
    versions = locked()
    for requirement in requirements():
        name, bound = re.match(r"([\w.-]+)>=([\d.]+)", requirement).groups()
        assert _numbers(versions[name.lower()]) >= _numbers(bound), name


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3])


def test_the_lock_has_hashes_and_names_no_host():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    packages = re.findall(r"^[\w.-]+==.*?(?=^[\w.-]+==|\Z)", lock, re.M | re.S)
    assert len(packages) > 50
    assert all("--hash=sha256:" in package for package in packages)
    assert "://" not in lock
