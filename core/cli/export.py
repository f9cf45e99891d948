"""`modelmon export`: a result as modelmon.toml, or as settings of other programs."""

from __future__ import annotations

import os
import sys
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modelmon.core.cli import argument, declared, option, options
from modelmon.core.cli.history import clusters_called, reference_of, runs_called
from modelmon.core.cli.measuring import write_config
from modelmon.core.cli.output import console, print_document, rendered, tell
from modelmon.core.cli.servers import check_reached, inspect_reached
from modelmon.core.cluster.result import ClusterResult
from modelmon.core.cluster.summary import kept
from modelmon.core.comparison.decision import chosen as chosen_arm
from modelmon.core.comparison.runner import elsewhere
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.export.document import SUFFIXES, document
from modelmon.core.export.history_items import verdict_of
from modelmon.core.export.items import Code
from modelmon.core.export.outcomes import OneRun, advised, outcome_of, outcome_of_run
from modelmon.core.export.places import write_text
from modelmon.core.export.saved import read_result
from modelmon.core.find_best import latest
from modelmon.core.find_best.result import Recommendation, SearchResult
from modelmon.core.history.file import HistoryError
from modelmon.core.history.groups import without_follow_ups
from modelmon.core.history.history import History
from modelmon.core.history.origin import Machine, origin_of
from modelmon.core.load.config_file import read_config
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.programs.outcome import Measured, stack_here, told
from modelmon.core.programs.registry import CONSUMERS, advice, all_advice
from modelmon.core.remote import Place, place_of
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from modelmon.core.comparison.decision import Label
    from modelmon.core.export.document import Format
    from modelmon.core.export.outcomes import Result
    from modelmon.core.history.rows import RunRow
    from modelmon.core.programs.outcome import Outcome

_OWN_FILE = "modelmon.toml"
_STANDARD_OUTPUT = Place("-")
_ALL = "all"
_REMEDY = Message("Measure it again, or export for other programs: --for all.")


def _completed(_context: click.Context, _option: click.Parameter, given: str) -> list[str]:
    """Names that begin like the last of those that are given."""
    before, comma, last = given.rpartition(",")
    return [f"{before}{comma}{name}" for name in (_ALL, *CONSUMERS) if name.startswith(last)]


@click.command("export", epilog=f"NAMES are {_ALL}, {', '.join(CONSUMERS)}.")
@declared
def command(
    result: str = argument(type=options.words, metavar="RESULT|RUN"),
    consumers: str | None = option(
        "--for",
        metavar="NAMES",
        help="Programs that load the model, separated by commas.",
        shell_complete=_completed,
    ),
    as_format: Format | None = option(
        "--format",
        type=click.Choice(("text", "toml", "shell", "env", "yaml", "json")),
        help="Format of the settings.  [default with --for: by the name of --out, or text]",
    ),
    out: Place | None = option(
        type=options.place_type,
        help="File to write, here or at ssh://HOST/PATH; - is standard output.  [default:"
        " modelmon.toml; with --for or --format standard output]",
    ),
    arm: str = option(
        type=click.Choice(("best", "A", "B")), default="best", help="Which side of a comparison."
    ),
) -> None:
    """Write a result as settings for a program.

    Without --for, writes modelmon.toml. RESULT was saved by `compare --out`, `best --out` or
    `cluster --out`; RUN is one of the history: 12, x7, x7A, or c3 of a cluster.
    """
    chosen = _label(arm)
    check_reached(None if out == _STANDARD_OUTPUT else out)
    if consumers is None and as_format is None:
        _write_own_file(_found(result, chosen), out)
        return
    names = [name for name in (consumers or _ALL).replace(" ", "").split(",") if name]
    if not names:
        raise click.UsageError(f"Say for whom: --for {_ALL}, or names with commas between.")
    if out == _STANDARD_OUTPUT:
        out = None
    found = _found(result, chosen, for_others=True)
    found = replace(found, stack=stack_here(found.measured))
    said = advice(found, [name for name in names if name != _ALL])
    if _ALL in names:  # beside which the others need be no more than known
        said = all_advice(found)
    if as_format is None:
        as_format = SUFFIXES.get(Path(out.path).suffix, "text") if out is not None else "text"
    text = document(found, said, as_format)
    if out is None:
        _print(text, as_format)
    else:
        write_text(out, text)
        tell(f"Wrote {', '.join(each.consumer for each in said)} to {out}.")


def _label(arm: str) -> Label | None:
    labels: dict[str, Label] = {"A": "A", "B": "B"}
    return labels.get(arm)


def _print(text: str, as_format: Format) -> None:
    """On standard output; what is to be read breaks between words in a terminal."""
    if as_format != "text" or not sys.stdout.isatty():
        print_document(text, is_json=as_format == "json")
        return
    out = console()
    for line in text.splitlines():
        # What is indented is there to be copied.
        out.print(rendered(Code(line)) if line.startswith(" ") else line)


def _write_own_file(found: Outcome, out: Place | None) -> None:
    """Without `out` as modelmon.toml, or named after the model where that is another model's."""
    text = modelmon_toml(found)
    if out == _STANDARD_OUTPUT:
        print_document(text)
        return
    if out is None:
        out, model = Place(_OWN_FILE), tomllib.loads(text).get("model", {})
        with suppress(ConfigError):
            if read_config(_OWN_FILE).model_digest not in {"", model.get("digest", "")}:
                out = Place(f"{model['name'].replace('/', '-')}.{_OWN_FILE}")
    write_config(found, out)


def _made_again(
    history: History, reference: str, rows: list[RunRow], chosen: Label | None
) -> tuple[Result, Label | None]:
    """Of an experiment its outcome, made again, and else one run; and which arm of it is meant.

    What is said of model and machine is looked up where they are now, which must be those of then.
    Raises ModelmonError where that can't be.
    """
    if rows[0].is_imported:
        raise HistoryError(
            Message("{run} was imported: where it was measured is uncertain.", run=reference),
            _REMEDY,
        )
    inspection = inspect_reached(place_of(rows[0].path))
    experiment = history.experiment(rows[0].experiment_id)
    if where := elsewhere(experiment, origin_of(inspection)):
        raise HistoryError(
            Message("{run} was measured {where}.", run=reference, where=where), _REMEDY
        )
    named = reference_of(reference)
    arm = named.arm if named is not None else ""
    label = _label(arm) if experiment.kind == "compare" else None
    if reference.startswith("x") and (not arm or label):
        outcome = latest.outcome_of(history, experiment, inspection)
        if outcome is not None:
            return outcome, label or chosen
    row, why = _chosen_run(history, reference, rows, chosen)
    return OneRun(history.result(row.id), inspection, why), None


def _found(result: str, chosen: Label | None, *, for_others: bool = False) -> Outcome:
    """What a file holds, or where there is none, a run, an experiment or a cluster's reference."""
    path = Path(result)
    if not os.path.exists(path):  # noqa: PTH110  Path.exists raises where one may not look
        for number in clusters_called([result]):
            return _outcome(kept(History(), number), chosen)
        if reference_of(result):
            return _of_history(result, chosen, for_others=for_others)
    return _outcome(read_result(path), chosen)


def _outcome(result: Result, chosen: Label | None) -> Outcome:
    if chosen is not None and isinstance(result, SearchResult):
        raise click.UsageError("Find best has no A and B: leave out --arm.")
    if chosen is not None and isinstance(result, ClusterResult):
        measured = {arm.way.label for arm in result.arms if arm.curve}
        if chosen not in measured:
            raise click.UsageError(f"Nothing was measured of {chosen}: leave out --arm.")
    return outcome_of(result, chosen)


def _of_history(reference: str, chosen: Label | None, *, for_others: bool) -> Outcome:
    """As it was measured; without modelmon.toml where that can't be made of it here."""
    history = History()
    rows = runs_called(history, reference)
    if chosen not in {None, *(row.label for row in rows)}:
        raise click.UsageError(f"{reference} has no run of {chosen}: leave out --arm.")
    problem: ModelmonError = HistoryError(
        Message("From the history, modelmon export RUN writes it without --for.")
    )
    if not for_others or not place_of(rows[0].path).server or rows[0].is_imported:
        try:
            return _outcome(*_made_again(history, reference, rows, chosen))
        except ModelmonError as error:
            problem = HistoryError(error.message) if for_others else error
    row, why = _chosen_run(history, reference, rows, chosen)
    # Recordings don't name the format.
    by_name = "gguf" if row.path.endswith(".gguf") else "safetensors"
    model = ModelFingerprint(
        row.model_name,
        history.model_format(row.model_digest) or by_name,
        row.model_bytes,
        0,
        row.model_digest,
    )
    machine = Machine(row.kernel, 0, row.ram_bytes, row.filesystem)
    measured = Measured(row.path, model, machine, row.cache_asked, row.started_unix_s)
    return outcome_of_run(history.result(row.id), measured, problem, why)


def _chosen_run(
    history: History, reference: str, rows: list[RunRow], chosen: Label | None
) -> tuple[RunRow, Message]:
    """The run in the middle of one strategy's, and why that one."""
    label, why = _verdict_of(history, rows[0]) if reference.startswith("x") else ("", NOTHING)
    rows = without_follow_ups(rows) or rows
    arms = {row.label: [each for each in rows if each.label == row.label] for row in rows}
    if chosen is not None:
        label, why = chosen, why if chosen == label else NOTHING
    middles = [middle_run(row for row in arm if row.counts) or arm[0] for arm in arms.values()]
    row = min(middles, key=lambda row: (row.label != label, not row.counts, row.model_wall_ns))
    if label not in arms and len(arms) == 1:
        why = NOTHING  # its words are about another one
    count = sum(each.counts for each in arms[row.label])
    if not why and count > 1:
        why = Message("The median of {count} runs.", count=count)
    elif not why and row.kind != "single":
        why = Message("One run of {experiment}.", experiment=f"x{row.experiment_id}")
    return row, why


def _verdict_of(history: History, row: RunRow) -> tuple[str, Message]:
    """Which arm a finished experiment recommends, and its words."""
    verdict = verdict_of(history, row)
    if verdict is None:
        return "", NOTHING
    if isinstance(verdict, Recommendation):
        return verdict.label, told(verdict.sentence, *verdict.reasons)
    arm_a, arm_b = history.experiment(row.experiment_id).arms
    label = chosen_arm(advised(verdict), {"A": arm_a.config, "B": arm_b.config})
    return label, told(verdict.sentence, verdict.reason)
