import copy
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from scripts._config import check_config
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
        ({"seed": "x"}, "`seed` must be of type integer; got 'x'"),
        ({"seed": -1}, "`seed`"),
        ({"pvalues": {"ties": "half"}}, "`pvalues.ties` must be one of 'ge', 'mid'; got 'half'"),
        ({"significance": {"alpha": 1.5}}, "`significance.alpha`"),
        ({"run": "../elsewhere"}, "`run`"),
        ({"testsets": {"wmt22": []}}, "`testsets.wmt22`"),
        ({"my_metrics": "one.seg.score"}, "`my_metrics` must be of type array"),
    ],
)
def test_a_wrong_key_or_value_is_named(change, message):
    config = copy.deepcopy(load(ROOT / "config/smoke.yaml")) | change
    with pytest.raises(InputError) as caught:
        check_config(config, SCHEMA)
    assert message in str(caught.value)


def test_the_folder_of_the_data_is_filled_in_wherever_it_is_named():
    config = load(ROOT / "config/smoke.yaml") | {
        "data_root": "elsewhere",
        "my_metrics": ["{data_root}/mine/{lp}"],
        "bayes": {"folds": {"NER": "{data_root}/ner.tsv"}},
    }
    check_config(config, SCHEMA)
    assert config["my_metrics"] == ["elsewhere/mine/{lp}"]
    assert config["bayes"]["folds"] == {"NER": "elsewhere/ner.tsv"}


def test_a_missing_key_is_named():
    config = load(ROOT / "config/smoke.yaml")
    del config["testsets"]
    with pytest.raises(InputError, match="the key `testsets` is missing"):
        check_config(config, SCHEMA)
