"""Measures the disk on request: a probe in a process of its own, reading only the model."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.explain.expected import fastest_text
from modelmon.core.probe.client import ProbeAnswer, deadline_s, probe_command
from modelmon.core.probe.probe import DEFAULT_SECONDS, Probe, short_class_text
from modelmon.core.units import rate_text, rough_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Notice, ProgressView, give_up
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.model.tensors import Model
    from modelmon.gui.session.session import Session

_ALMOST = 0.99
_REMEDY = mark("The storage hangs or is very slow. Check its mount.")


def probe_process(arguments: list[str]) -> Command:
    """The process that probes; the end of its input would stop it."""
    path, server = arguments
    command = probe_command(path, server=server)
    return Command([], command, keeps_input=True, name="doctor --probe")


class ProbeController(Controller):
    """`measured` carries the Probe."""

    measured = Signal(Probe)

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = probe_process,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self._began_s = 0.0
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.setInterval(round(deadline_s(DEFAULT_SECONDS) * 1e3))
        self._deadline.timeout.connect(self._on_deadline)

    def start(self) -> None:
        """Measure what the open model lies on."""
        inspection = self._session.inspection
        if inspection is None or self._session.busy:
            return
        self._began_s = time.monotonic()
        self._session.begin(Activity.PROBING, self.progress)
        self._deadline.start()
        where = [inspection.model.path, inspection.server]
        self._asking.ask(where, ProbeAnswer, self._on_answer, self._on_failed)

    def stop(self) -> None:
        """Give up; what was read is dropped from the cache again."""
        if self._asking.under_way:
            self._abandon()
            self._session.end(
                Notice(tr("Disk measurement stopped."), tr("Its result isn't saved."))
            )

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._deadline.stop()
        super().shut_down()

    def progress(self) -> ProgressView:
        """How far the probe is, by its time."""
        gone_s = time.monotonic() - self._began_s
        inspection = self._session.inspection
        return ProgressView(
            tr("Measuring the disk"),
            min(gone_s / DEFAULT_SECONDS, _ALMOST),
            time_left=self._time_left(gone_s),
            fact=tr("Reads parts of the model; cached data stays cached"),
            answered=self._asking.worked_ticks,
            server=inspection.server if inspection is not None else "",
        )

    def _time_left(self, gone_s: float) -> str:
        left_s = round(DEFAULT_SECONDS - gone_s)
        return tr("About {time} left", time=rough_text(left_s * 1e9)) if left_s > 0 else ""

    def _abandon(self) -> None:
        self._deadline.stop()
        self._asking.stop()

    def _on_answer(self, answer: ProbeAnswer) -> None:
        self._abandon()
        probe, why_not = answer.probe, answer.not_kept
        inspection = self._session.inspection
        assert inspection is not None
        problem = tr("The disk measurement wasn't saved: {why}", why=why_not) if why_not else ""
        self._session.note_unsaved("disk", problem)
        if problem:
            self._session.log(problem, "warning")
        notice = probe_notice(probe, inspection.model)
        self._session.log(sentences(notice.headline, notice.reason))
        self.measured.emit(probe)
        self._session.end(notice)

    def _on_failed(self, message: str, remedy: str) -> None:
        self._abandon()
        give_up(self._session, message, remedy)

    def _on_deadline(self) -> None:
        inspection = self._session.inspection
        name = Path(inspection.model.path).name if inspection else tr("The storage")
        message = tr("{storage} doesn't respond. Gave up measuring.", storage=name)
        self._on_failed(message, tr(_REMEDY))


def probe_notice(probe: Probe, model: Model) -> Notice:
    """The slot after a probe."""
    fastest, best = probe.storage.best_reads, said(fastest_text(model, probe))
    capital = best[:1].upper() + best[1:]
    kind = short_class_text(probe.storage_class)
    if fastest is None:
        way_reason = probe.storage.way_reason
        reason = said(way_reason) if way_reason else tr("The file is empty.")
        headline = tr("Couldn't measure the storage.")
        return Notice(headline, reason, best, tone="warn")
    rate = rate_text(fastest.bytes_per_s)
    return Notice(
        tr("Storage: {kind}, up to {rate}.", kind=kind, rate=rate),
        tr("{best} for this model.", best=capital) if best else "",
        tr("Evidence: {evidence}.", evidence=probe.class_evidence),
    )
