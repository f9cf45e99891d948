"""Does what the Runs tab asks for: dialogs and questions, then the history."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from modelmon.gui.language import mark, tr
from modelmon.gui.runs.overlays import OverlayController
from modelmon.gui.runs.replay import Playback
from modelmon.gui.runs.run_actions import model_path
from modelmon.gui.runs.run_dialogs import ChangesDialog, CompareRunsDialog
from modelmon.gui.runs.run_library import DeleteController, RunLibrary
from modelmon.gui.runs.run_lines import RunLine
from modelmon.gui.runs.shown_runs import LastMeasured, Outside, ShownRunController
from modelmon.gui.session.notices import Choice
from modelmon.gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.gui.plots.plot_row import PlotRow
    from modelmon.gui.runs.runs_panel import RunsPanel
    from modelmon.gui.session.notices import ArmLabel

_TABLES = ["CSV (*.csv)", "JSON (*.json)"]
_RECORDINGS = [mark("Recordings (*.jsonl)"), mark("All files (*)")]
_MOST_NAMES = 3


class RunsTabController(QObject):
    """One method per command of run_actions.py; `outside` is the rest of the window."""

    def __init__(self, panel: RunsPanel, plots: PlotRow, outside: Outside) -> None:
        super().__init__(panel)
        session, history = outside.session, outside.history
        self._session, self._settings = session, outside.settings
        self._panel, self._plots, self._outside = panel, plots, outside
        self._awaited: tuple[RunLine, Callable[[], None] | None] | None = None
        self.library = RunLibrary(session, history, self)
        self.replaying = ShownRunController(session, history, self)
        self.overlaying = OverlayController(session, history, self)
        self.playback = Playback(session, self)
        self.deleting = DeleteController(session, history, self.library, self)
        self.last_measured = LastMeasured(self.library, self.overlaying, outside)
        self._does: dict[str, Callable[[], object]] = {
            "show": self._show,
            "show_a": lambda: self.replaying.show(self._line, "A"),
            "show_b": lambda: self.replaying.show(self._line, "B"),
            "use_a": lambda: self.replaying.use(self._line, "A"),
            "use_b": lambda: self.replaying.use(self._line, "B"),
            "replay": lambda: self._show(self.playback.open),
            "open_model": self._open_model,
            "overlay": self._overlay,
            "clear_overlay": self.overlaying.clear,
            "outcome": self._show_outcome,
            "resume": self._resume,
            "compare": self._compare,
            "changes": lambda: ChangesDialog(history, panel.window()).open(),
            "star": self._star,
            "rename": panel.table.rename_current,
            "delete": self._ask_to_delete,
            "undo": self.deleting.undo,
            "copy": self._copy,
            "export": self._ask_where_to_export,
            "share": lambda: self._outside.share(list(map(str, self._ids))),
            "save": self._save,
            "import": self._ask_what_to_import,
        }
        for name, do in self._does.items():
            panel.actions_by_id[name].triggered.connect(partial(_do, do))
        panel.follow(self.library)
        panel.dropped.connect(self.library.take_in)
        panel.table.show_wanted.connect(self._on_activated)
        panel.table.runs.overlay_wanted.connect(self._check)
        self.library.imported.connect(self._on_imported)
        self.library.told.connect(outside.say)
        self.deleting.changed.connect(lambda: panel.show_deleted(len(self.deleting.run_ids)))
        self.deleting.brought_back.connect(panel.table.select_runs)
        self.replaying.shown.connect(plots.reveal)
        # The time axes keep room for the whole runs.
        self.playback.toggled.connect(
            lambda on: plots.hold_time(self.playback.end_s if on else None)
        )
        self.overlaying.changed.connect(
            lambda: panel.table.runs.set_overlaid(self.overlaying.styles)
        )
        session.activity_changed.connect(self._give_up_model)
        if session.inspection is not None:
            # It was opened before there was a table.
            self.last_measured.look()

    def do(self, name: str) -> None:
        """Do a command of run_actions.py, or say why it cannot be used."""
        against = self._panel.reasons
        if name in against:
            self._outside.say(against[name])
        else:
            self._does[name]()

    def on_model_opened(self) -> None:
        """Show what the model was measured to be, and the run that it was opened for."""
        self.last_measured.look()
        self._show_awaited()

    def offer_replay(self, label: ArmLabel) -> None:
        """Show a recording that was opened, and offer to replay it."""
        self._plots.reveal(label)
        if self._session.notice is not None:
            choice = Choice(tr("Replay"), self.playback.open)
            self._session.say(replace(self._session.notice, choices=(choice,)))

    def toggle_replay(self) -> None:
        """Replay what the arms show, or stop doing so."""
        if self.playback.active:
            self.playback.close()
        else:
            self.playback.open()

    @property
    def _line(self) -> RunLine:
        return self._panel.selected[0]

    @property
    def _ids(self) -> list[int]:
        return [line.row.id for line in self._panel.selected if line.row is not None]

    def _on_activated(self) -> None:
        """Show a run in the plots, or of a comparison what came of it."""
        at = self._panel.table.currentIndex()
        self.do("show" if isinstance(self._panel.table.runs.row_at(at), RunLine) else "outcome")

    def _show(self, then: Callable[[], None] | None = None) -> None:
        """Show the run in its arm; where no model is open its own one first, if it is there."""
        line = self._line
        if self._session.inspection is not None or "open_model" in self._panel.reasons:
            self.replaying.show(line, then=then)
        else:
            self._awaited = (line, then)
            self._open_model()

    def _open_model(self) -> None:
        self._outside.open_model(model_path(self._line))

    def _show_awaited(self) -> None:
        if self._awaited is not None:
            (line, then), self._awaited = self._awaited, None
            self.replaying.show(line, then=then)

    def _give_up_model(self) -> None:
        """A model that cannot be opened leaves the recording, alone."""
        if self._awaited is not None and not self._session.busy:
            QTimer.singleShot(0, self, self._show_awaited)

    def _overlay(self) -> None:
        """Put the selected runs into the plots, or out of them where all are in."""
        keys = {line.key for line in self._panel.selected if line.has_events}
        if keys <= self.overlaying.styles.keys():
            self.overlaying.drop(keys)
        else:
            self.overlaying.add(self._panel.selected)

    def _check(self, line: RunLine, wanted: bool) -> None:
        if wanted:
            self.overlaying.add([line])
        else:
            self.overlaying.drop([line.key])

    def _show_outcome(self) -> None:
        row = self._line.row
        if row is not None:
            self.last_measured.bring_back(row.experiment_id)

    def _resume(self) -> None:
        row = self._line.row
        if row is not None:
            self._outside.resume(row.kind, f"x{row.experiment_id}")

    def _compare(self) -> None:
        rows = [line.row for line in self._panel.selected if line.row is not None]
        CompareRunsDialog(rows, self._panel.window()).open()

    def _star(self) -> None:
        starred = all(line.starred for line in self._panel.selected)
        self.library.star(self._ids, starred=not starred)

    def _ask_to_delete(self) -> None:
        ids = self._ids
        count = len(ids)
        question = QMessageBox(self._panel.window())
        question.setWindowTitle(tr("Delete runs"))
        question.setIcon(QMessageBox.Icon.Warning)
        question.setText(
            tr("Delete 1 run from the history?")
            if count == 1
            else tr("Delete {count} runs from the history?", count=count)
        )
        question.setInformativeText(_loss_text(self._panel.selected))
        text = tr("Delete 1 run") if count == 1 else tr("Delete {count} runs", count=count)
        delete = question.addButton(text, QMessageBox.ButtonRole.DestructiveRole)
        cancel = question.addButton(QMessageBox.StandardButton.Cancel)
        question.setDefaultButton(cancel)
        question.setEscapeButton(cancel)
        delete.clicked.connect(lambda: self.deleting.delete(ids))
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._panel.table.markdown())
        self._outside.say(tr("Copied {rows} rows as Markdown.", rows=len(self._panel.selected)))

    def _ask_where_to_export(self) -> None:
        lines = self._panel.selected
        dialog = self._saving(tr("Export runs"), "runs.csv", _TABLES)
        dialog.chosen.connect(lambda path: self.library.export(lines, Path(path)))
        dialog.open()

    def _save(self) -> None:
        line = self._line
        if line.row is None:
            if line.run is not None:
                self._outside.save_run(line.run)
            return
        run_id = line.row.id
        dialog = self._saving(tr("Save recording"), f"run-{run_id}.jsonl", [tr(_RECORDINGS[0])])
        dialog.chosen.connect(lambda path: self.library.save_recording(run_id, Path(path)))
        dialog.open()

    def _ask_what_to_import(self) -> None:
        folder, kinds = self._settings.folder, [tr(each) for each in _RECORDINGS]
        dialog = FileDialog(self._panel.window(), tr("Import recordings"), folder, "files", kinds)
        dialog.all_chosen.connect(lambda paths: self.library.take_in(list(map(Path, paths))))
        dialog.open()

    def _on_imported(self, run_ids: tuple[int, ...]) -> None:
        def reveal() -> None:
            """Those of another model than the open one are only among the runs of all models."""
            listed = {line.row.id for line in self.library.lines if line.row is not None}
            if not listed.issuperset(run_ids):
                self._panel.filter.model.setCurrentIndex(1)

        self._panel.select(run_ids)
        self.library.reload(reveal)

    def _saving(self, title: str, name: str, filters: list[str]) -> FileDialog:
        path = Path(self._settings.folder) / name
        return FileDialog(self._panel.window(), title, str(path), "save", filters)


def _do(what: Callable[[], object], *_: object) -> None:
    what()


def _loss_text(lines: Sequence[RunLine]) -> str:
    """What goes with these runs when they are deleted."""
    said = []
    recorded = sum(line.row is not None and line.row.events_file is not None for line in lines)
    if recorded:
        said.append(tr("Recordings that can't be replayed afterwards: {number}.", number=recorded))
    if starred := sum(line.starred for line in lines):
        said.append(tr("Starred: {number}.", number=starred))
    if names := [line.name for line in lines if line.name]:
        more = ["…"] if len(names) > _MOST_NAMES else []
        said.append(tr("Named: {names}.", names=tr(", ").join(names[:_MOST_NAMES] + more)))
    said.append(
        tr("To restore, use Undo (Ctrl+Z) before you delete other runs or close this window.")
    )
    return "\n".join(said)
