"""What the export dialog can write of a result, and where: here, or on the server of the model."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

from modelmon.core.cluster.summary import best_arm as best_way
from modelmon.core.comparison.result import Comparison
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.explain.program_report import judge
from modelmon.core.export.atomic import WriteError
from modelmon.core.export.outcomes import OneRun, best_arm, measured_in, outcome_of
from modelmon.core.export.places import check_place, write_text
from modelmon.core.find_best.result import SearchResult
from modelmon.core.messages import NOTHING, Message, to_text, verbatim
from modelmon.core.programs.advice import PROGRAM_ID, Form
from modelmon.core.programs.modelmon import OWN
from modelmon.core.programs.registry import all_advice
from modelmon.core.remote import Place, is_remote, parts_of, place_of
from modelmon.core.worker.look import seen_soon
from modelmon.gui.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.comparison.decision import Label
    from modelmon.core.export.outcomes import Result
    from modelmon.core.machine.storage import StorageStack
    from modelmon.core.programs.advice import ConsumerAdvice, Standing
    from modelmon.core.programs.outcome import Outcome
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.watched_run import WatchedRun

    File = tuple[Place, str]


_OF_FILES = (".safetensors", ".gguf", ".json")
_MODEL = re.compile(r"(.+?)(-\d+-of-\d+)?\.(safetensors|sft|gguf)(\.index\.json)?", re.IGNORECASE)
"""The name of a model's file: first what all its files begin with."""
OWN_NAME = "modelmon.toml"


def subject_of(session: Session) -> Result | None:
    """The watched program that is shown; else the latest verdict, or the latest run."""
    if session.program is not None:
        return _of_program(session, session.program)
    verdict = session.verdict
    if verdict is not None or session.inspection is None:
        return verdict
    latest = session.latest_result
    return OneRun(latest, session.inspection) if latest is not None else None


def _of_program(session: Session, run: WatchedRun) -> OneRun | None:
    inspection, result = session.inspection, run.result
    if inspection is None or result is None or not session.has_outcome:
        return None
    return OneRun(result, inspection, judge(result, run.limits, run.name).headline)


LOAD_CONFIG = OWN
"""The entry that is written unless something else is chosen."""


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """One thing that can be written: who it is for, and its exact text in each of its forms.

    `obstacle` says why it cannot be written; then there are no forms. `advice` is None for
    what is none to anybody.
    """

    id: str
    title: str
    purpose: str
    forms: tuple[Form, ...] = ()
    obstacle: str = ""
    advice: ConsumerAdvice | None = None

    @property
    def standing(self) -> Standing | None:
        """How sure the advice is."""
        return self.advice.standing if self.advice is not None else None

    def facts(self, installed: Message = NOTHING) -> tuple[tuple[str, str], ...]:
        """Names and sentences beside the text, with what is known of the program as it is
        installed.
        """
        told = self.advice.facts(installed) if self.advice is not None else ()
        return tuple((said(name), said(text)) for name, text in told)

    def file_name(self, form: int) -> str:
        """A name for the text of a form that no other entry uses."""
        own = self.standing is None or self.id == LOAD_CONFIG
        name = self.forms[form].file_name if self.forms else "modelmon.toml"
        return name if own else f"{self.id}-{name}"


_BOTH: tuple[Label, ...] = ("A", "B")


class ExportSource:
    """Something that was measured, of the model at `path`, which lies on `stack` if that is known.

    `options` are what can be written of it, by value and text, and `best` is the value that is
    recommended.
    """

    def __init__(self, result: Result, stack: StorageStack | None = None) -> None:
        self._result = result
        self.path = measured_in(result).path
        is_its = stack is not None and stack.asked == parts_of(self.path).path
        self._stack = stack if is_its else None
        self.best, self.options = _options(result)

    def entries(self, value: str) -> tuple[ExportEntry, ...]:
        """What can be written for an option: for modelmon, the whole record, then for others; who
        cannot be told comes last.
        """
        record = _record(self._result)
        try:
            own, *others = map(_entry, all_advice(self._outcome(value)))
        except ConfigError as error:
            return (_no_advice(error), record)
        return (own, record, *sorted(others, key=lambda entry: bool(entry.obstacle)))

    def says(self, value: str) -> str:
        """What the file makes of the measurement."""
        try:
            return said(self._outcome(value).note)
        except ConfigError as error:
            return said(error.text)

    def _outcome(self, value: str) -> Outcome:
        label = next((label for label in _BOTH if label == value), None)
        return outcome_of(self._result, label, self._stack)


def _options(result: Result) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The best value, and all of them with their texts."""
    if isinstance(result, Comparison):
        arms = [(label, result.arm(label).strategy) for label in _BOTH]
        return best_arm(result), tuple((label, f"{label}  {name}") for label, name in arms)
    if isinstance(result, SearchResult):
        best = result.recommendation.exported
        return best, ((best, best or result.recommendation.label),)
    if isinstance(result, OneRun):
        name = result.result.strategy
        return name, ((name, name),)
    ways = [arm.way for arm in result.arms if arm.curve]
    if not ways:
        return "A", (("A", "A"),)
    options = tuple((way.label, f"{way.label}  {way.name}") for way in ways)
    return best_way(result).way.label, options


def _record(result: Result) -> ExportEntry:
    """All of it."""
    title = tr("Full result")
    if isinstance(result, Comparison):
        name, title = "comparison", tr("Full comparison")
        about = tr("JSON of all runs, can be opened again")
    elif isinstance(result, SearchResult):
        name, title = "ranking", tr("Full ranking")
        about = tr("JSON of all runs, for modelmon export")
    elif isinstance(result, OneRun):
        name, about = "run", tr("JSON of this run")
    else:
        name, about = "cluster", tr("JSON of all nodes and starts, can be opened again")
    value = result.result if isinstance(result, OneRun) else result
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=to_text)).decode() + "\n"
    form = Form(Message("JSON"), "json", text, f"{name}.json")
    return ExportEntry("race" if isinstance(result, SearchResult) else name, title, about, (form,))


def _entry(advice: ConsumerAdvice) -> ExportEntry:
    summary = said(advice.summary)
    if advice.is_default:
        purpose = tr("Nothing to change: {setting} is the default", setting=summary)
    elif advice.standing == "measured":
        purpose = tr("Measured here, {setting}", setting=summary)
    elif advice.standing == "mapped":
        purpose = tr("Nearest: {setting}", setting=summary)
    else:
        purpose = tr("Can't express. {reason}", reason=summary)
    return ExportEntry(
        advice.consumer,
        # Others are called by their own names in every language.
        tr("The tested program") if advice.consumer == PROGRAM_ID else advice.title,
        purpose,
        advice.forms,
        summary if advice.standing == "cannot" else "",
        advice,
    )


def _no_advice(error: ConfigError) -> ExportEntry:
    reason = said(error.text)
    return ExportEntry(LOAD_CONFIG, "modelmon.load_model", reason, obstacle=reason)


def in_full(text: str) -> Place:
    """A place with the home folder that `~` stands for; raises WriteError without such a home, and
    ConfigError for an address that is none.
    """
    place = place_of(text)
    if place.server:
        return place
    try:
        return Place(str(Path(place.path).expanduser()))
    except RuntimeError as error:
        message = tr("Couldn't write {path}: there is no such home folder.", path=text)
        raise WriteError(verbatim(message), verbatim(tr("Choose another folder."))) from error


def default_path(model_path: str) -> Path:
    """Beside the model, or in the model's folder where that was opened; not among cached files,
    where nobody looks: the sample lies there. Where files of other models may be, as in the home
    folder, it is named after the model.
    """
    folder = Path.home() if is_remote(model_path) else Path(folder_of(model_path))
    if folder == platformdirs.user_cache_path("modelmon", appauthor=False) or not folder.is_dir():
        folder = Path.home()
    path = Path(parts_of(model_path).path)
    name = found[1] if (found := _MODEL.fullmatch(path.name)) else path.name
    if folder == Path.home() or (path != folder and _models_of(folder) - {name}):
        return folder / f"{name}.{OWN_NAME}"
    return folder / OWN_NAME


def _models_of(folder: Path) -> set[str]:
    """Names of the models whose files are in a folder."""
    with suppress(OSError):
        return {found[1] for each in folder.iterdir() if (found := _MODEL.fullmatch(each.name))}
    return set()


def folder_of(reference: str) -> str:
    """The folder that a model is in, or that it is; on a server, by its name alone. In place of one
    on storage that hangs it is the home folder.
    """
    place = parts_of(reference)
    path = Path(place.path)
    if place.server:
        return str(path.parent if path.suffix in _OF_FILES else path)
    seen = seen_soon(place.path)
    return str(Path.home() if seen is None else path if seen.kind == "folder" else path.parent)


def replaced(files: Sequence[File]) -> frozenset[str]:
    """Those places on servers that have a file already. Raises ModelmonError where one can't be
    written to.
    """
    return frozenset(str(place) for place, _ in files if place.server and check_place(place))


def files_at(paths: Iterable[str]) -> list[str]:
    """Those of these places that are files; of storage that hangs nothing is said."""
    return [path for path in paths if (seen := seen_soon(path)) and seen.kind == "file"]


def write_all(files: Sequence[File]) -> None:
    """Write each text to its place, whole or not at all; first every place here is looked at, as
    those on servers were by `replaced`.

    Raises ModelmonError; where some files were written already, it says which.
    """
    for place, _ in files:
        if not place.server:
            if seen_soon(place.path) is None:
                raise WriteError(
                    Message("The storage of {path} doesn't answer.", path=place.path),
                    verbatim(tr("Choose another folder.")),
                )
            check_place(place)
    places = {
        place if place.server else Place(str(Path(place.path).resolve())) for place, _ in files
    }
    if len(places) < len(files):
        raise WriteError(
            verbatim(tr("Two files have the same path.")),
            verbatim(tr("Give each file its own name.")),
        )
    written: list[str] = []
    for place, text in files:
        try:
            write_text(place, text)
        except ModelmonError as error:
            if not written:
                raise
            kept = tr("Already written: {files}.", files=", ".join(written))
            raise WriteError(
                Message("{message} {kept}", message=error.message, kept=kept), error.remedy
            ) from error
        written.append(Path(place.path).name)
