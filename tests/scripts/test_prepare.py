"""What `make run` looks at before it starts Snakemake."""

import pytest

from scripts._prepare import check_file, check_targets, main
from sigcore.errors import InputError


def test_an_unknown_target_is_named_with_those_that_there_are():
    check_targets(["all", "results/smoke/report.html"])
    with pytest.raises(InputError, match="unknown target `paper_x`; known: all, bayes, compare"):
        check_targets(["bayes", "paper_x"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"own\.yaml: No such file or directory; CONFIG must name a YAML file"),
        ("run: x\n  bad: [\n", r"own\.yaml:2: this is not YAML: mapping values"),
        ("", r"own\.yaml:1: a configuration must have keys and values"),
        ("- run\n", r"own\.yaml:1: a configuration must have keys and values"),
        ("run: \xff", r"own\.yaml: a configuration must be UTF-8 text"),
    ],
    ids=["missing", "not YAML", "empty", "a list", "not UTF-8"],
)
def test_a_configuration_that_cannot_be_read_is_named(tmp_path, capsys, content, message):
    path = tmp_path / "own.yaml"
    if content is not None:
        path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=message):
        check_file(path)
    assert main([str(path), "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(f"sigcore: error: {path}")
