"""Models that are programs of the user: commands that learn and predict, fold by fold."""

import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.bayes.tagsets import TAG_SETS
from sigcore.errors import DataFileError, InputError
from sigcore.io.corpora import read_tags, write_corpus
from sigcore.validation import as_choice

__all__ = ["PLACEHOLDERS", "CommandModel", "command_files"]

PLACEHOLDERS = ("train", "validate", "model", "output", "fold")
# Lines of a failed program's output that its error message shows.
N_LINES = 8


@dataclass(frozen=True, slots=True)
class CommandModel:
    """A model that is trained and asked by commands.

    Attributes
    ----------
    name : str
        Name of the model.
    commands : tuple of str
        Run one after another for each fold. ``{train}`` and ``{validate}`` stand for the halves
        of the corpus, files of columns; the tag is the last column of the first and not in the
        second. ``{model}`` is a path for the model, ``{fold}`` the name of the fold, and
        ``{output}`` the file to write: a line with a tag for each token, a blank line after each
        sentence. Without ``{output}`` it is what the last command prints.
    tag_set : {"iob2", "iobes", "bmes", "bb2b3mes"}
        Tags of the files.
    shell : bool
        Whether a shell runs the commands; what stands for paths is then quoted already. By default
        they are cut into words as a shell does, but run without one.
    """

    name: str
    commands: tuple[str, ...]
    tag_set: str = "iob2"
    shell: bool = False

    def __post_init__(self) -> None:
        as_choice(self.tag_set, "tag_set", TAG_SETS)
        if not any("{validate}" in command for command in self.commands):
            raise InputError(
                f"`commands` of the model {self.name} must have {{validate}} in one of them, the "
                f"file to predict; got {list(self.commands)}."
            )
        for command in self.commands:
            if not command.strip():
                raise InputError(f"`commands` of the model {self.name} must not be empty.")
            if not self.shell:
                _words(self.name, command)

    def predict(
        self, training: TaggedCorpus, validation: TaggedCorpus, *, folder: Path, fold: str
    ) -> list[list[str]]:
        """Write the halves, run the commands and read the tags they wrote."""
        place = folder.resolve()
        paths = {name: str(place / name) for name in PLACEHOLDERS} | {"fold": fold}
        write_corpus(paths["train"], training, tags=[training.tags(self.tag_set)])
        write_corpus(paths["validate"], validation)
        # What an earlier run left must not pass for the answer of this one.
        Path(paths["output"]).unlink(missing_ok=True)
        prints = not any("{output}" in command for command in self.commands)
        for number, command in enumerate(self.commands, start=1):
            is_last = number == len(self.commands)
            printed = Path(paths["output"]) if prints and is_last else place / f"printed{number}"
            self._run(command, paths, printed, place / f"errors{number}")
        try:
            return read_tags(paths["output"], validation, tag_set=self.tag_set)
        except DataFileError as error:
            message = f"{error.message.removesuffix('.')} (model {self.name}, {fold})."
            raise DataFileError(error.path, message, line=error.line) from error

    def _run(self, command: str, paths: dict[str, str], printed: Path, errors: Path) -> None:
        quoted = {name: shlex.quote(path) for name, path in paths.items()}
        call = (
            _fill(command, quoted)
            if self.shell
            else [_fill(word, paths) for word in _words(self.name, command)]
        )
        place = f"model {self.name}, {paths['fold']}"
        try:
            with printed.open("wb") as out, errors.open("wb") as err:
                done = subprocess.run(
                    call, shell=self.shell, stdin=subprocess.DEVNULL, stdout=out, stderr=err
                )
        except OSError as error:
            program = "the shell" if self.shell else repr(call[0])
            raise InputError(f"{place}: {program} cannot be run: {error.strerror}.") from error
        if done.returncode != 0:
            raise InputError(
                f"{place}: {command!r} ended with exit code {done.returncode}.{_last_lines(errors)}"
            )


def command_files(commands: Iterable[str]) -> list[str]:
    """List the words of commands that are files, such as the program itself.

    Of a command that only a shell can cut into words, the parts between blanks are looked at.
    """
    words: list[str] = []
    for command in commands:
        try:
            words += shlex.split(command)
        except ValueError:
            words += command.split()
    return [word for word in dict.fromkeys(words) if _is_file(word)]


def _words(name: str, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InputError(f"command {command!r} of the model {name}: {error}.") from error


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # too long for a name, or a character that none has
        return False


def _fill(text: str, values: dict[str, str]) -> str:
    # Not str.format(), as commands may have braces of their own.
    for name in PLACEHOLDERS:
        text = text.replace(f"{{{name}}}", values[name])
    return text


def _last_lines(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return "".join(f"\n  {line}" for line in lines[-N_LINES:])
