import sys

import pytest

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.errors import DataFileError, InputError
from sigcore.io.commands import CommandModel, command_files
from sigcore.parsing.tagging import Span

TRAINING = TaggedCorpus(
    ((("Anna", "N"), ("slept", "V")), (("Rome", "N"),)),
    ((Span(0, 1, "PER"),), (Span(0, 1, "LOC"),)),
)
VALIDATION = TaggedCorpus(
    ((("Rome", "N"), ("slept", "V")), (("Anna", "N"),), (("Bo", "N"),)),
    ((), (Span(0, 1, "PER"),), ()),
)

# A model that remembers the tag of each word: `learn TRAIN MODEL`, `tag MODEL VALIDATE OUTPUT`.
LEARNER = """
import sys
step, *paths = sys.argv[1:]
rows = [line.rstrip("\\n").split("\\t") for line in open(paths[0 if step == "learn" else 1])]
if step == "learn":
    assert all(len(row) in (1, 3) for row in rows)
    with open(paths[1], "w") as model:
        model.writelines(f"{row[0]}\\t{row[-1]}\\n" for row in rows if len(row) > 1)
else:
    assert all(len(row) in (1, 2) for row in rows)
    known = dict(line.split() for line in open(paths[0]))
    out = open(paths[2], "w") if len(paths) > 2 else sys.stdout
    for row in rows:
        print(known.get(row[0], "O") if len(row) > 1 else "", file=out)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "my learner.py"
    path.write_text(LEARNER, encoding="utf-8")
    return f'"{sys.executable}" "{path}"'


def predict(model, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    return model.predict(TRAINING, VALIDATION, folder=folder, fold="rep1-fold1")


EXPECTED = [["S-LOC", "O"], ["S-PER"], ["O"]]


def test_commands_learn_and_predict(program, tmp_path):
    steps = (
        f"{program} learn {{train}} {{model}}",
        f"{program} tag {{model}} {{validate}} {{output}}",
    )
    assert predict(CommandModel("mine", steps, tag_set="iobes"), tmp_path) == EXPECTED


def test_without_an_output_the_last_command_prints_it(program, tmp_path):
    steps = (f"{program} learn {{train}} {{model}}", f"{program} tag {{model}} {{validate}}")
    assert predict(CommandModel("mine", steps, tag_set="iobes"), tmp_path) == EXPECTED


def test_a_shell_runs_commands_only_if_asked(program, tmp_path):
    step = (
        f"{program} learn {{train}} {{model}} && {program} tag {{model}} {{validate}} > {{output}}"
    )
    assert predict(CommandModel("mine", (step,), tag_set="iobes", shell=True), tmp_path) == EXPECTED
    # Without a shell "&&" and ">" are words like any other, and the output of before is gone.
    with pytest.raises(DataFileError, match="output: was not written"):
        predict(CommandModel("mine", (step,), tag_set="iobes"), tmp_path)


def test_what_only_a_shell_can_read_is_left_to_it(tmp_path):
    command = "cat <<'END' # it's a matter of shells {validate}\nO\nO\n\nO\n\nO\nEND"
    model = CommandModel("mine", (command,), shell=True)
    assert predict(model, tmp_path) == [["O", "O"], ["O"], ["O"]]
    with pytest.raises(InputError, match="No closing quotation"):
        CommandModel("mine", (command,))


def test_files_of_commands_are_the_words_that_name_some(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "my words"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder").mkdir()
    steps = ["python mine.py 'my words' folder {train}", f"./mine.py {{validate}} {'x' * 5000}"]
    assert command_files(steps) == ["mine.py", "my words", "./mine.py"]
    assert command_files(["python mine.py {validate} # it's mine"]) == ["mine.py"]


def test_a_path_is_one_word_whatever_it_contains(program, tmp_path):
    folder = tmp_path / "a folder; rm"
    folder.mkdir()
    steps = (f"{program} learn {{train}} {{model}}", f"{program} tag {{model}} {{validate}}")
    model = CommandModel("mine", steps, tag_set="iobes", shell=True)
    assert model.predict(TRAINING, VALIDATION, folder=folder, fold="f") == EXPECTED


def test_braces_of_the_users_are_left_alone(tmp_path):
    code = "import sys; print({1: 'O'}[1]); print('O\\n\\nO\\n\\nO')"
    command = f'{sys.executable} -c "{code}" {{validate}} {{fold}} {{other}}'
    assert predict(CommandModel("mine", (command,)), tmp_path) == [["O", "O"], ["O"], ["O"]]


def test_the_placeholders_are_filled(tmp_path):
    code = "import sys; print(sys.argv[1:], file=sys.stderr); sys.exit(3)"
    command = f'{sys.executable} -c "{code}" {{train}} {{validate}} {{model}} {{output}} {{fold}}'
    with pytest.raises(InputError) as caught:
        predict(CommandModel("mine", (command,)), tmp_path)
    message = str(caught.value)
    assert message.startswith("model mine, rep1-fold1: ")
    assert "ended with exit code 3" in message
    for name in ("train", "validate", "model", "output"):
        assert str(tmp_path / "work" / name) in message
    assert "'rep1-fold1']" in message


def test_the_validation_half_has_no_tags(tmp_path):
    command = f'{sys.executable} -c "import sys; sys.exit(1)" {{validate}}'
    with pytest.raises(InputError):
        predict(CommandModel("mine", (command,)), tmp_path)
    assert (tmp_path / "work/validate").read_text() == "Rome\tN\nslept\tV\n\nAnna\tN\n\nBo\tN\n\n"
    assert (
        tmp_path / "work/train"
    ).read_text() == "Anna\tN\tB-PER\nslept\tV\tO\n\nRome\tN\tB-LOC\n\n"


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("O", "output:1: sentence 1 must have one tag for each of its 2 tokens"),
        ("O\\nperson\\n\\nO\\n\\nO", "output:2: 'person' is not a tag of iob2"),
        ("O\\nO\\n\\nO", "output:4: must have 3 sentences"),
        ("Rome\\tN O\\nO", "output:1: 'N O' is not a tag of iob2; columns are parted by tabs"),
        ("Anna\\tN\\tO\\nO", "output:1: has the token 'Anna' where the corpus has 'Rome'"),
    ],
)
def test_wrong_output_is_refused_with_file_and_line(tmp_path, printed, words):
    command = f"{sys.executable} -c \"print('{printed}')\" {{validate}}"
    with pytest.raises(DataFileError) as caught:
        predict(CommandModel("mine", (command,)), tmp_path)
    assert words in str(caught.value)
    assert str(caught.value).endswith(" (model mine, rep1-fold1).")


def test_columns_of_the_models_own_are_not_compared(tmp_path):
    printed = "rome\\tO\\nslept\\tO\\n\\nanna\\tO\\n\\nbo\\tO"
    command = f"{sys.executable} -c \"print('{printed}')\" {{validate}}"
    assert predict(CommandModel("mine", (command,)), tmp_path) == [["O", "O"], ["O"], ["O"]]


def test_output_that_was_not_written_is_named(tmp_path):
    command = f'{sys.executable} -c "pass" {{validate}} {{output}}'
    with pytest.raises(DataFileError, match="output: was not written"):
        predict(CommandModel("mine", (command,)), tmp_path)


def test_what_cannot_be_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="'no-such-program' cannot be run: No such file"):
        predict(CommandModel("mine", ("no-such-program {validate}",)), tmp_path)
    with pytest.raises(InputError, match=r"must have \{validate\} in one of them"):
        CommandModel("mine", ("learn {train}",))
    with pytest.raises(InputError, match="No closing quotation"):
        CommandModel("mine", ("learn '{validate}",))
    with pytest.raises(InputError, match="must not be empty"):
        CommandModel("mine", (" ", "tag {validate}"))
