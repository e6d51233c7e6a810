import copy
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from scripts._config import check_config, check_files
from sigcore.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
CONFIGS = sorted((ROOT / "config").glob("*.yaml"))


def load(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(load(SCHEMA))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_configuration_is_valid(path):
    check_config(load(path), SCHEMA)


def test_the_default_configuration_spells_out_the_defaults():
    spelt_out, filled = load(ROOT / "config/config.yaml"), load(ROOT / "config/config.yaml")
    check_config(filled, SCHEMA)
    assert spelt_out == filled
    needed = ("run", "data_root", "testsets", "simulate", "tasks", "parsing", "bayes")
    minimal = {key: spelt_out[key] for key in needed}
    check_config(minimal, SCHEMA)
    assert minimal == filled


def test_every_key_is_described_in_schema_comment_and_readme():
    readme = (ROOT / "config/README.md").read_text(encoding="utf-8")
    for name, subschema in _leaves(load(SCHEMA)):
        assert subschema.get("description"), name
        assert f"`{name}`" in readme, name


def test_the_readme_marks_the_keys_that_a_configuration_needs():
    readme = (ROOT / "config/README.md").read_text(encoding="utf-8")
    for name, _ in _leaves(load(SCHEMA)):
        config = load(ROOT / "config/config.yaml")
        *parents, key = name.split(".")
        inner = config
        for parent in parents:
            inner = inner.get(parent, {})
        refused = pytest.raises(InputError, match=f"the key `{name}` is missing")
        inner.pop(key, None)
        with refused if f"| `{name}` | needed |" in readme else nullcontext():
            check_config(config, SCHEMA)


def _leaves(schema: dict, prefix: str = ""):
    for key, subschema in schema["properties"].items():
        name = f"{prefix}{key}"
        if "properties" in subschema:
            yield from _leaves(subschema, f"{name}.")
        else:
            yield name, subschema


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"selecton": {}}, "unknown key `selecton`; did you mean `selection`?"),
        ({"selection": {"outlier": True}}, "unknown key `selection.outlier`; did you mean"),
        ({"seed": "x"}, "`seed` must be a whole number; got 'x'"),
        ({"seed": -1}, "`seed` must be at least 0; got -1."),
        ({"seed": 1.0}, "`seed` must be a whole number; got 1.0."),
        ({"seed": "1e5"}, "`seed` must be a whole number (without quotes, as 100000); got '1e5'."),
        ({"pvalues": {"ties": "half"}}, "`pvalues.ties` must be one of 'ge', 'mid'; got 'half'"),
        ({"significance": {"alpha": 1.5}}, "`significance.alpha` must be below 1; got 1.5."),
        ({"run": "../elsewhere"}, "`run` must be made of letters, digits, dots"),
        ({"testsets": {"wmt22": []}}, "`testsets.wmt22` must have entries, at least 1; got []."),
        ({"testsets": {"wmt22": "all"}}, "“A list of language pairs, or the word `official`.”"),
        ({"my_metrics": "one.seg.score"}, "`my_metrics` must be a list"),
        ({"selection": None}, "`selection` must be a mapping of keys to values; got None."),
        ({"bayes": {"folds": {"corpus": "a"}}}, "`bayes.folds` must not be 'corpus'"),
    ],
)
def test_a_wrong_key_or_value_is_named(change, message):
    config = copy.deepcopy(load(ROOT / "config/smoke.yaml")) | change
    with pytest.raises(InputError) as caught:
        check_config(config, SCHEMA)
    assert message in str(caught.value)


def _numbers(schema: dict, place: tuple[str, ...] = ()):
    """Give every key of a number, with its type and how a value becomes one of the key."""
    for key, subschema in schema.get("properties", {}).items():
        here = (*place, key)
        for kind in (subschema, *subschema.get("oneOf", ())):
            if kind.get("type") in ("integer", "number"):
                yield here, kind, lambda value: value
        items = subschema.get("items", {})
        if items.get("type") in ("integer", "number"):
            yield here, items, lambda value: [value, *range(100, 102)]
        yield from _numbers(subschema, here)


@pytest.mark.parametrize(
    ("place", "schema", "wrap"),
    [pytest.param(*found, id=".".join(found[0])) for found in _numbers(load(SCHEMA))],
)
def test_no_key_takes_odd_numbers(place, schema, wrap):
    odd = [True, float("nan"), float("inf"), float("-inf"), "3", None]
    if schema["type"] == "integer":
        odd += [5.0, 1.5, 10**12 if place[-1] != "seed" else 2**63]
    for value in odd:
        config = load(ROOT / "config/config.yaml")
        inner = config
        for key in place[:-1]:
            inner = inner.setdefault(key, {})
        inner[place[-1]] = wrap(value)
        with pytest.raises(InputError) as caught:
            check_config(config, SCHEMA)
        assert f"`{'.'.join(place)}" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_the_folder_of_the_data_is_filled_in_wherever_it_is_named():
    config = load(ROOT / "config/smoke.yaml") | {
        "data_root": "elsewhere",
        "my_metrics": ["{data_root}/mine/{lp}"],
        "bayes": {"folds": {"NER": "{data_root}/ner.tsv"}},
    }
    check_config(config, SCHEMA)
    assert config["my_metrics"] == ["elsewhere/mine/{lp}"]
    assert config["bayes"]["folds"] == {"NER": "elsewhere/ner.tsv"}


def test_only_test_sets_and_values_that_name_it_need_the_folder_of_the_data():
    config = {"run": "own", "testsets": {}, "bayes": {"folds": {"NER": "ner.tsv"}}}
    check_config(config, SCHEMA)
    for change in (
        {"testsets": {"wmt22": "official"}},
        {"bayes": {"folds": {"NER": "{data_root}/ner.tsv"}}},
    ):
        with pytest.raises(InputError, match="the key `data_root` is missing"):
            check_config({"run": "own", "testsets": {}} | change, SCHEMA)


def test_a_key_that_is_there_twice_is_refused_with_its_lines(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("seed: 1\nrun: own\nseed: 2\n")
    with pytest.raises(InputError) as caught:
        check_files([ROOT / "config/smoke.yaml", path, tmp_path / "absent.yaml"])
    assert str(caught.value) == f"{path}:3: the key `seed` is there already in line 1."
    check_files(CONFIGS)


def test_a_missing_key_is_named():
    config = load(ROOT / "config/smoke.yaml")
    del config["testsets"]
    with pytest.raises(InputError, match="the key `testsets` is missing"):
        check_config(config, SCHEMA)
