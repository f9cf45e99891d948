"""What the doctor says of this machine and of the model's storage, and which programs are here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QTimer, Signal

from modelmon.core.comparison.commands import check_watchable
from modelmon.core.doctor.diagnosis import Diagnosis
from modelmon.core.errors import ModelmonError
from modelmon.core.machine.processes import began_ticks
from modelmon.core.programs.known_program import ProgramList
from modelmon.core.units import rate_text
from modelmon.gui.background.commands import Command
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

    from modelmon.core.machine.storage import Storage
    from modelmon.core.probe.probe import Probe
    from modelmon.gui.session.session import Session


_PATIENCE_MS = 15_000
_DECODING_PATIENCE_MS = 180_000
"""The decoders may have to be compiled first."""
_USERS_MS = 2_000
"""How soon it is seen that a program that used the file has ended."""
_KINDS = {
    "local-disk": mark("local disk"),
    "network": mark("network"),
    "fuse": "FUSE",
    "memory": mark("in memory"),
    "unknown": mark("unknown kind"),
}
_MEASURES = (
    Activity.RUNNING,
    Activity.COMPARING,
    Activity.RACING,
    Activity.WATCHING,
    Activity.ESTIMATING,
    Activity.PROBING,
)


class Machine(Controller):
    """Looks when a model was opened, after every load and on request; in another process, since
    a mount that hangs must not hang the window. Never while a load is measured.
    """

    looks_around = True
    changed = Signal()
    obstacle_changed = Signal()

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self.diagnosis: Diagnosis | None = None
        self.failure = ""
        self._due = False
        self._decoding = False
        self._measured: Probe | None = None
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._on_patience_over)
        self._users = QTimer(self, interval=_USERS_MS)
        self._users.timeout.connect(self._see_users)
        session.model_changed.connect(self._on_model)
        session.activity_changed.connect(self._on_activity)

    @property
    def probe(self) -> Probe | None:
        """The latest probe of the open model's storage: of this window, or a recent stored one."""
        stored = self.diagnosis.probe if self.diagnosis is not None else None
        known = [probe for probe in (stored, self._measured) if probe is not None]
        return max(known, key=lambda probe: probe.probed_unix_s, default=None)

    def set_probe(self, probe: Probe) -> None:
        """Take over what was just measured, which may be stored or not."""
        self._measured = probe
        self._session.see_probe(probe)
        self.changed.emit()

    @property
    def looking(self) -> bool:
        """Whether an answer is waited for."""
        return self._asking.under_way

    @property
    def obstacle(self) -> str:
        """Why nothing can be measured of the machine now; "" where it can."""
        if not self._session.busy:
            return ""
        return tr("Not available while {doing}.", doing=tr(self._session.activity.value))

    @property
    def measuring_decoding(self) -> bool:
        """Whether the look under way measures how fast values are decoded."""
        return self._decoding and self.looking

    def measure_decoding(self) -> None:
        """Look anew, and measure how fast values are decoded; not while a load is measured."""
        if not self._session.busy:
            self._look(decoding=True)

    def look(self) -> None:
        """Ask anew, as soon as nothing is being measured."""
        self._due = True
        self._look_if_idle()

    def stop(self) -> None:
        """Give up the look under way; return at once."""
        self._patience.stop()
        if self._asking.stop() is not None:
            self.changed.emit()

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._users.stop()
        self._patience.stop()
        super().shut_down()

    def _look_if_idle(self) -> None:
        if self._due and not self._session.busy:
            self._look()

    def _look(self, *, decoding: bool = False) -> None:
        inspection = self._session.inspection
        if inspection is None:
            return
        self.stop()
        self._due = False
        self._decoding = decoding
        self.failure = ""
        self._patience.start(_DECODING_PATIENCE_MS if decoding else _PATIENCE_MS)
        wanted = ["--decode"] if decoding else []
        arguments = ["doctor", inspection.reference, *wanted, "--json"]
        self._asking.ask(arguments, Diagnosis, self._on_answer, self._on_failed)
        self.changed.emit()

    def _on_model(self) -> None:
        self.stop()
        self.diagnosis = self._measured = None
        self.failure = ""
        self.changed.emit()
        self.look()

    def _on_activity(self) -> None:
        if self._session.activity in _MEASURES:
            self.stop()
            self._due = True
        else:
            self._look_if_idle()
        self.obstacle_changed.emit()

    def _on_answer(self, diagnosis: Diagnosis) -> None:
        before = self.diagnosis
        if before is not None and not self._decoding:
            # Another look at this machine does not measure them again.
            diagnosis = msgspec.structs.replace(diagnosis, decode_rates=before.decode_rates)
        self.diagnosis = diagnosis
        self._users.start()
        self._session.see_memory(diagnosis.memory)
        self._end("")

    def _see_users(self) -> None:
        """Look anew once one of those that are shown has ended; nothing but /proc is read."""
        inspection, file = self._session.inspection, self.diagnosis and self.diagnosis.file
        users = file.users if file and inspection is not None and not inspection.server else ()
        if any(began_ticks(user.pid) != user.began_ticks for user in users):
            self._users.stop()
            self.look()

    def _on_failed(self, message: str, remedy: str) -> None:
        self._session.log(f"{message} {remedy}".strip(), "warning")
        self._end(f"{message} {remedy}".strip())

    def _end(self, failure: str) -> None:
        self._patience.stop()
        self.failure = failure
        self.changed.emit()

    def _on_patience_over(self) -> None:
        seconds = self._patience.interval() // 1000
        inspection = self._session.inspection
        if inspection is not None and inspection.server:
            server = inspection.server
            self.failure = tr(
                "No response from {server} for {seconds} s.", server=server, seconds=seconds
            )
        else:
            self.failure = tr(
                "No response from storage for {seconds} s. Its mount may hang.", seconds=seconds
            )
        self.changed.emit()


def disk_kind(storage: Storage) -> str:
    """What kind of storage it is, by what the system says of it."""
    name = storage.device or storage.source
    if name.startswith("nvme"):
        return "NVMe SSD"
    if name.startswith(("vd", "xvd")):
        return tr("virtual disk")
    if storage.rotational_reported is not None:
        return tr("hard disk") if storage.rotational_reported else "SSD"
    return tr(_KINDS[storage.kind])


def limit_text(probe: Probe) -> str:
    """The words on the limit line of a plot; "" where the probe tells no limit."""
    fastest = probe.storage.best_reads
    if fastest is None or probe.storage.way == "memory" or probe.storage.met_others:
        return ""
    return tr("Disk limit {rate}", rate=rate_text(fastest.bytes_per_s))


class ProgramFinder(Controller):
    """Looks for programs. `programs_found` carries ListedPrograms, `no_programs` why there can be
    none.
    """

    looks_around = True
    programs_found = Signal(object)
    no_programs = Signal(str)

    @property
    def server(self) -> str:
        """The server of the open model; "" where it is on this machine."""
        inspection = self._session.inspection
        return inspection.server if inspection is not None else ""

    def look_for_programs(self, environment: str = "") -> None:
        """Ask which programs are here, those of Python in this environment if one is named: each
        says its version, which takes seconds.
        """
        inspection = self._session.inspection
        if inspection is None:
            self.no_programs.emit(tr("Open a model first."))
            return
        try:
            check_watchable(server=inspection.server)
        except ModelmonError as error:
            self.no_programs.emit(said(error.message))
            return
        at = ["--at", environment] if environment else []
        self._ask([inspection.reference, *at])

    def look_without_model(self) -> None:
        """Ask which programs are here while no model is open."""
        self._ask([])

    def _ask(self, about: list[str]) -> None:
        def fail(message: str, remedy: str) -> None:
            self.no_programs.emit(sentences(said(message), said(remedy)))

        def take(found: ProgramList) -> None:
            self.programs_found.emit(found.programs)

        self._asking.ask(["programs", *about, "--json"], ProgramList, take, fail)
