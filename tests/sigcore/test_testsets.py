"""Facts about test sets: the packaged files, files beside the data, and what is refused."""

from pathlib import Path

import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.testsets import FACTS_FILE, PairFacts, known_testsets, load_testset

MINIMAL = """
testset: mine
defaults: {reference: refA, gold: mqm}
language_pairs:
  en-de: {}
  en-fr: {gold: esa, outliers: [bad one]}
"""


def write_facts(root: Path, text: str, name: str = "mine") -> Path:
    path = root / name / FACTS_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_all_years_from_2019_to_2025_are_there() -> None:
    expected = "wmt19 wmt20 wmt21.flores wmt21.news wmt21.tedtalks wmt22 wmt23 wmt23.sent wmt24"
    assert known_testsets() == (*expected.split(), "wmt24pp", "wmt25")


@pytest.mark.parametrize("name", known_testsets())
def test_every_packaged_file_is_valid_and_consistent(name: str) -> None:
    facts = load_testset(name)
    assert facts.name == name
    assert facts.description
    assert set(facts.official) <= set(facts.language_pairs)
    assert facts.language_pairs == tuple(sorted(facts.language_pairs))
    for pair in facts.pairs:
        assert pair.testset == name
        assert pair.reference in pair.references
        assert len(set(pair.primary_metrics)) == len(pair.primary_metrics)
        source, _, target = pair.language_pair.partition("-")
        assert source
        assert target


# Facts read in mt_metrics_eval/meta_info.py of google-research/mt-metrics-eval, checked by eye.
@pytest.mark.parametrize(
    ("testset", "pair", "reference", "gold", "outliers"),
    [
        ("wmt20", "pl-en", "ref", "wmt-raw", ("zlabs-nlp.1162",)),
        ("wmt21.news", "en-de", "refC", "mqm", ()),
        ("wmt21.news", "zh-en", "refB", "mqm", ()),
        ("wmt21.news", "de-en", "refA", "wmt-raw", ()),
        ("wmt21.tedtalks", "zh-en", "refB", "mqm", ()),
        ("wmt22", "en-de", "refA", "mqm", ("M2M100_1.2B-B4",)),
        ("wmt22", "cs-en", "refB", "wmt", ()),
        ("wmt22", "de-fr", "refA", None, ()),
        ("wmt23", "he-en", "refB", "mqm", ()),
        ("wmt23", "zh-en", "refA", "mqm", ("synthetic_ref",)),
        ("wmt23", "en-cs", "refA", "da-sqm", ()),
        ("wmt24", "en-de", "refB", "mqm", ("MSLC",)),
        ("wmt24", "en-hi", "refA", "esa", ()),
        ("wmt24pp", "en-de_DE", "posteditB", None, ()),
        ("wmt25", "en-ko_KR", "refA", "mqm", ()),
        ("wmt25", "en-sr_Cyrl_RS", "refA", "esa-human1", ()),
    ],
)
def test_facts_are_those_of_mt_metrics_eval(
    testset: str, pair: str, reference: str, gold: str | None, outliers: tuple[str, ...]
) -> None:
    facts = load_testset(testset).facts(pair)
    assert (facts.reference, facts.gold, facts.outliers) == (reference, gold, outliers)


def test_numbers_of_pairs_and_primary_metrics_are_those_of_mt_metrics_eval() -> None:
    counts = {name: len(load_testset(name).language_pairs) for name in known_testsets()}
    assert counts == {
        "wmt19": 18,
        "wmt20": 18,
        "wmt21.flores": 4,
        "wmt21.news": 16,
        "wmt21.tedtalks": 3,
        "wmt22": 21,
        "wmt23": 14,
        "wmt23.sent": 1,
        "wmt24": 11,
        "wmt24pp": 55,
        "wmt25": 16,
    }
    assert len(load_testset("wmt22").facts("en-de").primary_metrics) == 22
    assert len(load_testset("wmt23").facts("en-de").primary_metrics) == 32
    assert len(load_testset("wmt23").facts("en-de").baseline_metrics) == 14
    assert len(load_testset("wmt24").facts("en-de").primary_metrics) == 26
    assert len(load_testset("wmt25").facts("en-ko_KR").primary_metrics) == 12


@pytest.mark.parametrize(
    ("testset", "expected"),
    [
        ("wmt23", {"en-de": False, "he-en": True, "zh-en": False}),
        ("wmt24", {"en-de": True, "en-es": False, "ja-zh": False}),
    ],
)
def test_human_translations_are_systems_where_the_official_task_says_so(
    testset: str, expected: dict[str, bool]
) -> None:
    facts = load_testset(testset)
    assert {pair: facts.facts(pair).human_systems for pair in facts.official} == expected


def test_more_primary_metrics_are_added_to_the_common_ones() -> None:
    testset = load_testset("wmt21.news")
    common = testset.facts("de-en").primary_metrics
    assert testset.facts("en-de").primary_metrics == (*common, "cushLEPOR(LM)")


def test_a_file_beside_the_data_goes_before_the_package(tmp_path: Path) -> None:
    write_facts(tmp_path, "testset: wmt22\nlanguage_pairs: {xx-yy: {reference: r}}\n", "wmt22")
    assert load_testset("wmt22", root=tmp_path).language_pairs == ("xx-yy",)
    assert "en-de" in load_testset("wmt22").language_pairs


def test_defaults_fill_in_what_a_pair_does_not_say(tmp_path: Path) -> None:
    write_facts(tmp_path, MINIMAL)
    facts = load_testset("mine", root=tmp_path)
    assert facts.official == ()
    assert facts.facts("en-fr") == PairFacts(
        testset="mine",
        language_pair="en-fr",
        reference="refA",
        gold="esa",
        outliers=("bad one",),
        human_systems=False,
        references=("refA",),
        primary_metrics=(),
        baseline_metrics=(),
    )


def test_unknown_testset_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"wmt22.*got 'wmt99'"):
        load_testset("wmt99")
    with pytest.raises(InputError, match=FACTS_FILE):
        load_testset("wmt99", root=tmp_path)


def test_unknown_language_pair_lists_those_of_the_testset() -> None:
    with pytest.raises(InputError, match=r"wmt24 \(cs-uk, en-cs, .*\); got 'de-en'"):
        load_testset("wmt24").facts("de-en")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("testset: mine\n", "must have the key `language_pairs`"),
        ("language_pairs: {}\n", "must have the key `testset`"),
        ("testset: yours\nlanguage_pairs: {}\n", "`testset` must be 'mine'; got 'yours'"),
        ("- a list\n", "the file must be a mapping"),
        ("", "the file must be a mapping"),
        (MINIMAL + "colour: red\n", "unknown key `colour`"),
        ("testset: mine\nlanguage_pairs: {a-b: {refrence: x}}", "language_pairs.a-b.refrence"),
        ("testset: mine\nlanguage_pairs: {a-b: [x]}", "`language_pairs.a-b` must be a mapping"),
        ("testset: mine\nlanguage_pairs: {a-b: {}}", "`language_pairs.a-b` must have the key"),
        ("testset: mine\nlanguage_pairs: {no: {}}", "must have names as keys; got False"),
        (MINIMAL.replace("gold: mqm", "gold: 3"), "`defaults.gold` must be text or null; got 3"),
        (MINIMAL.replace("gold: mqm", "outliers: x"), "`defaults.outliers` must be a list"),
        (MINIMAL.replace("gold: mqm", "outliers: [1]"), "`defaults.outliers` must be a list"),
        (MINIMAL.replace("gold: mqm", "human_systems: 1"), "must be true or false; got 1"),
        (MINIMAL.replace("reference: refA", "reference: null"), "`defaults.reference` must be"),
        (MINIMAL + "official: [xx-yy]\n", "`official` names 'xx-yy'"),
    ],
)
def test_a_faulty_file_is_refused_with_its_name_and_key(
    tmp_path: Path, text: str, message: str
) -> None:
    path = write_facts(tmp_path, text)
    with pytest.raises(DataFileError) as caught:
        load_testset("mine", root=tmp_path)
    assert message in str(caught.value)
    assert caught.value.path == path


def test_invalid_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    write_facts(tmp_path, "testset: mine\nlanguage_pairs: {a-b: {]}\n")
    with pytest.raises(DataFileError, match="is not valid YAML") as caught:
        load_testset("mine", root=tmp_path)
    assert caught.value.line == 2
    assert "\n" not in str(caught.value)


def test_yaml_cannot_make_objects(tmp_path: Path) -> None:
    write_facts(tmp_path, "testset: !!python/object/apply:os.getcwd []\n")
    with pytest.raises(DataFileError, match="is not valid YAML"):
        load_testset("mine", root=tmp_path)
