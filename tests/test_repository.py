"""What may not be in the repository: machine paths, package hosts, large files."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def tracked_files() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.split("\0") if (ROOT / name).is_file()]


def test_no_file_names_a_package_host_or_a_home_directory():
    hosts = "|".join(("files[.]python" + "hosted", "pypi[.]org/" + "simple", "--index-" + "url"))
    homes = "|".join(f"/{name}/" for name in ("home", "Users", "root"))
    pattern = re.compile(f"{hosts}|(?<![A-Za-z0-9_.-])({homes})")
    found = [
        path.name
        for path in tracked_files()
        if pattern.search(path.read_bytes().decode("utf-8", "ignore"))
    ]
    assert found in ([], ["test_environment.py"])


def test_no_file_is_large():
    assert [path.name for path in tracked_files() if path.stat().st_size > 1_500_000] == []


def test_every_link_of_the_documentation_leads_to_a_file():
    pages = [path for path in tracked_files() if path.suffix == ".md"]
    lost = []
    for page in pages:
        text = re.sub(
            r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
        )
        targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
        lost += [
            (page.name, to) for to in targets if "://" not in to and not (page.parent / to).exists()
        ]
    assert lost == []
    assert len(pages) > 5


def test_every_benchmark_is_documented():
    text = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    names = {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")} - {"run_all"}
    assert [name for name in sorted(names) if f"`{name}" not in text] == []
