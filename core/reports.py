"""What measurements from Python return: typed results, for programs, notebooks and pandas."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modelmon.core.export.atomic import write_text_atomic
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.units import duration_text, percent_text, rate_text
from modelmon.core.worker.result import RunFigures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.comparison.result import Comparison
    from modelmon.core.explain.figures import Bottleneck
    from modelmon.core.find_best.result import Race
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult

_UNKNOWN = "–"


class Report:
    """What was measured: in words, as a table, and run by run."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What came out; the first is the answer."""
        raise NotImplementedError

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run in order, each with the label of its strategy; also those that don't count."""
        raise NotImplementedError

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """The figures of every run, by name; units are in the names, None is not known."""
        names = RunFigures.__struct_fields__
        return [
            {"label": label, "bytes_per_s": run.bytes_per_s}
            | {name: getattr(run, name) for name in names}
            for label, run in self.runs
        ]

    def to_pandas(self) -> Any:
        """`rows` as a DataFrame. Raises ModuleNotFoundError where pandas is not installed."""
        try:
            import pandas  # noqa: PLC0415  optional
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                "to_pandas needs pandas: pip install pandas", name=error.name
            ) from error
        return pandas.DataFrame(self.rows())

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentences[0]}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        answer, *others = self.sentences
        heads, rows = self._table()
        text = [f"<p><b>{escape(answer)}</b></p>", *(f"<p>{escape(each)}</p>" for each in others)]
        text.append("<table><thead><tr>")
        text += [f"<th>{escape(head)}</th>" for head in heads]
        text.append("</tr></thead><tbody>")
        for row in rows:
            text += ["<tr>", *(f"<td>{escape(cell)}</td>" for cell in row), "</tr>"]
        return "".join((*text, "</tbody></table>"))


@dataclass(frozen=True, repr=False)
class RunReport(Report):
    """One load, what held it back, and all that was seen of it.

    `run_id` is its number in the history, None where it is not kept.
    """

    result: RunResult
    bottleneck: Bottleneck
    record: RunRecord
    run_id: int | None

    @property
    def sentences(self) -> tuple[str, ...]:
        """How long it took, what held it back, and why it does not count, if so."""
        run = self.result
        took = f"{duration_text(run.wall_ns)}{_of_part(run)} at {rate_text(run.bytes_per_s)}"
        said = (f"{run.strategy}: {took}.", self.bottleneck.sentence, run.why_not)
        return tuple(filter(None, said))

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """The one run."""
        return ((self.result.strategy, self.result),)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        run = self.result
        row = (run.strategy, duration_text(run.wall_ns), rate_text(run.bytes_per_s))
        return ("Strategy", f"Time{_of_part(run)}", "Rate", "Start"), [(*row, run.cache_state)]


@dataclass(frozen=True, repr=False)
class ComparisonReport(Report):
    """A comparison: its verdict, both sides and every run."""

    result: Comparison

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, why, and what else has to be known."""
        verdict = self.result.verdict
        return tuple(filter(None, (verdict.sentence, verdict.reason, verdict.caveat)))

    def export(self, path: str | Path) -> None:
        """Write the winner, or what to use for now where there is none, as `modelmon.toml`, for
        `load_model` and the command line.

        Raises ConfigError where no such file can hold it, and WriteError.
        """
        write_text_atomic(Path(path), modelmon_toml(outcome_of(self.result)))

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run, in the order of time."""
        both = [("A", run) for run in self.result.runs_a] + [("B", r) for r in self.result.runs_b]
        return tuple(sorted(both, key=lambda pair: pair[1].started_unix_s))

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        rows = [
            (
                arm.label,
                arm.strategy,
                f"{duration_text(arm.median_ns)} ± {duration_text(arm.mad_ns)}",
                rate_text(arm.bytes_per_s),
                f"{arm.runs}",
            )
            for arm in (self.result.arm_a, self.result.arm_b)
        ]
        part = next((_of_part(run) for _, run in self.runs), "")
        return ("", "Strategy", f"Median{part} ± MAD", "Rate", "Runs"), rows


@dataclass(frozen=True, repr=False)
class RaceReport(Report):
    """A test of every strategy: what is recommended, how each did, and every run."""

    result: Race

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is recommended, and why."""
        found = self.result.recommendation
        return (found.sentence, *found.reasons)

    def export(self, path: str | Path) -> None:
        """Write what is recommended as `modelmon.toml`, for `load_model` and the command line.

        Raises ConfigError where no such file can hold it, and WriteError.
        """
        write_text_atomic(Path(path), modelmon_toml(outcome_of(self.result)))

    @property
    def runs(self) -> tuple[tuple[str, RunResult], ...]:
        """Every run, in the order of time."""
        return tuple((run.label, run.result) for run in self.result.runs)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        rows = [
            (
                each.label,
                duration_text(each.median_ns) if each.median_ns is not None else _UNKNOWN,
                f"{each.runs}",
                each.why,
            )
            for each in self.result.standings
        ]
        rows += [(each.strategy, _UNKNOWN, "0", each.why) for each in self.result.excluded]
        return ("Strategy", "Median", "Runs", "Ruled out"), rows


def _of_part(run: RunResult) -> str:
    """Of how much of the model a time is; nothing where that is all of it."""
    share = run.part_share
    return "" if share is None else f" for {percent_text(share)} of the model"
