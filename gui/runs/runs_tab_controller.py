"""Does what the Runs tab asks for: dialogs and questions, then the history."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox

from modelmon.gui.language import mark, tr
from modelmon.gui.runs.changes_dialog import ChangesDialog
from modelmon.gui.runs.compare_runs_dialog import CompareRunsDialog
from modelmon.gui.runs.delete_controller import DeleteController
from modelmon.gui.runs.import_controller import ImportController
from modelmon.gui.runs.overlay_controller import OverlayController
from modelmon.gui.runs.playback import Playback
from modelmon.gui.runs.run_actions import model_path
from modelmon.gui.runs.run_groups import arm_of, groups_of, strip_rows, title_of
from modelmon.gui.runs.run_library import RunLibrary
from modelmon.gui.runs.runs_text import loss_text
from modelmon.gui.runs.shown_run_controller import ShownRunController
from modelmon.gui.runs.strips_pane import MOST_ROWS
from modelmon.gui.session.notices import Choice
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.markdown import markdown_of_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.shell.main_window import MainWindow

_TABLES = ["CSV (*.csv)", "JSON (*.json)"]
_SAID_MS = 5000
_RECORDINGS = [mark("Recordings (*.jsonl)"), mark("All files (*)")]


class ReplayController(QObject):
    """Begins and ends replays as a person asks for them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.playback = Playback(window.session, self)
        window.workspace.replay.follow(self.playback)
        self.playback.toggled.connect(self._hold_time)
        window.open_controller.recording_opened.connect(self._offer)

    def toggle(self) -> None:
        """Replay what the arms show, or stop doing so."""
        if self.playback.active:
            self.playback.close()
        else:
            self.playback.open()

    def _hold_time(self, active: bool) -> None:
        """The time axes keep room for the whole runs."""
        self._window.workspace.plots.hold_time(self.playback.end_s if active else None)

    def _offer(self, label: ArmLabel) -> None:
        session = self._window.session
        self._window.workspace.plots.reveal(label)
        if session.notice is not None:
            choice = Choice(tr("Replay"), self.playback.open)
            session.say(replace(session.notice, choices=(choice,)))


class RunsTabController(QObject):
    """One method per command of run_actions.py."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._panel = window.workspace.runs
        self._awaited: tuple[RunLine, Callable[[], None] | None] | None = None
        self.library = RunLibrary(window.session, window.history, self)
        self.importing = ImportController(window.session, window.history, self)
        window.parts_at_work = (*window.parts_at_work, self.importing)
        self.replaying = ShownRunController(window.session, window.history, self)
        self.overlaying = OverlayController(window.session, window.history, self)
        self.replay = ReplayController(window)
        self._panel.follow(self.library)
        self.replaying.shown.connect(window.workspace.plots.reveal)
        self.deleting = DeleteController(window.session, window.history, self.library, self)
        self._does: dict[str, Callable[[], None]] = {
            "show": self._show,
            "show_a": lambda: self.replaying.show(self._line, "A"),
            "show_b": lambda: self.replaying.show(self._line, "B"),
            "use_a": lambda: self.replaying.use(self._line, "A"),
            "use_b": lambda: self.replaying.use(self._line, "B"),
            "replay": lambda: self._show(self.replay.playback.open),
            "open_model": self._open_model,
            "overlay": self._overlay,
            "overlay_medians": self._overlay_medians,
            "clear_overlay": self.overlaying.clear,
            "strips": self._panel.strips_button.toggle,
            "outcome": self._show_outcome,
            "resume": self._resume,
            "compare": self._compare,
            "changes": self._changes,
            "star": self._star,
            "rename": self._panel.table.rename_current,
            "delete": self._ask_to_delete,
            "undo": self.deleting.undo,
            "copy": self._copy,
            "export": self._ask_where_to_export,
            "save": self._save,
            "import": self._ask_what_to_import,
        }
        self._panel.wanted.connect(self._do)
        self._panel.dropped.connect(self.importing.start)
        self._panel.left.connect(lambda: window.workspace.browse_history(browsing=False))
        self.importing.imported.connect(self._on_imported)
        self.library.told.connect(self._say)
        self.deleting.changed.connect(lambda: self._panel.show_deleted(len(self.deleting.run_ids)))
        self.deleting.brought_back.connect(self._panel.table.select_runs)
        window.open_controller.model_opened.connect(self._show_awaited)
        window.session.activity_changed.connect(self._give_up_model)
        self._panel.table.show_wanted.connect(lambda _: self._do("show"))
        self._panel.table.runs.overlay_wanted.connect(self._check)
        window.workspace.overlays.remove_wanted.connect(self.overlaying.remove)
        window.workspace.overlays.clear_wanted.connect(self.overlaying.clear)
        self.overlaying.changed.connect(self._show_overlays)
        self.overlaying.changed.connect(self._show_strips)
        self._panel.table.selection_changed.connect(self._show_strips)
        self._panel.strips_button.toggled.connect(self._show_strips)
        window.session.record_changed.connect(self._show_strips)

    @property
    def _line(self) -> RunLine:
        return self._panel.selected[0]

    @property
    def _ids(self) -> list[int]:
        return [line.row.id for line in self._panel.selected if line.row is not None]

    def _do(self, name: str) -> None:
        against = self._panel.reasons
        if name in against:
            self._say(against[name])
        else:
            self._does[name]()

    def _say(self, text: str) -> None:
        self._window.status.showMessage(text, _SAID_MS)

    def _show(self, then: Callable[[], None] | None = None) -> None:
        """Show the run in its arm; where no model is open its own one first, if it is there."""
        line = self._line
        if self._window.session.inspection is not None or "open_model" in self._panel.reasons:
            self.replaying.show(line, then=then)
        else:
            self._awaited = (line, then)
            self._open_model()

    def _open_model(self) -> None:
        self._window.open_controller.open_model(model_path(self._line))

    def _show_awaited(self) -> None:
        if self._awaited is not None:
            (line, then), self._awaited = self._awaited, None
            self.replaying.show(line, then=then)

    def _give_up_model(self) -> None:
        """A model that cannot be opened leaves the recording, alone."""
        if self._awaited is not None and not self._window.session.busy:
            QTimer.singleShot(0, self, self._show_awaited)

    def _overlay(self) -> None:
        """Put the selected runs into the plots, or out of them where all are in."""
        keys = {line.key for line in self._panel.selected if line.has_events}
        if keys <= self.overlaying.styles.keys():
            self.overlaying.drop(keys)
        else:
            self.overlaying.add(self._panel.selected)

    def _overlay_medians(self) -> None:
        """Let one run stand for each group of the selected ones, but those of A and B."""
        session = self._window.session
        groups = [each for each in groups_of(self._panel.selected) if not arm_of(each, session)]
        middles = {
            line.key: (line, tr("{group}, median", group=group.name))
            for group in groups
            if (line := group.middle) is not None
        }
        names = {key: name for key, (_, name) in middles.items()}
        self.overlaying.add((line for line, _ in middles.values()), names)

    def _show_strips(self) -> None:
        if self._panel.strips_button.isChecked():
            groups = groups_of(self._panel.selected)
            shown = groups[:MOST_ROWS]
            rows = strip_rows(shown, self._window.session, self.overlaying.styles)
            self._panel.strips.show_groups(rows, len(groups), title_of(shown))

    def _check(self, line: RunLine, wanted: bool) -> None:
        if wanted:
            self.overlaying.add([line])
        else:
            self.overlaying.drop([line.key])

    def _show_overlays(self) -> None:
        self._panel.table.runs.set_overlaid(self.overlaying.styles)
        self._window.workspace.show_overlays(self.overlaying.runs)

    def _show_outcome(self) -> None:
        row = self._line.row
        if row is not None:
            self._window.last_measured.bring_back(row.experiment_id)

    def _resume(self) -> None:
        row, resuming = self._line.row, self._window.resume_controller
        if row is not None:
            go_on = resuming.resume_search if row.kind == "best" else resuming.resume
            go_on(f"x{row.experiment_id}")

    def _compare(self) -> None:
        rows = [line.row for line in self._panel.selected if line.row is not None]
        CompareRunsDialog(rows, self._window).open()

    def _changes(self) -> None:
        ChangesDialog(self._window.history, self._window).open()

    def _star(self) -> None:
        starred = all(line.starred for line in self._panel.selected)
        self.library.star(self._ids, starred=not starred)

    def _ask_to_delete(self) -> None:
        ids = self._ids
        count = len(ids)
        question = QMessageBox(self._window)
        question.setWindowTitle(tr("Delete runs"))
        question.setIcon(QMessageBox.Icon.Warning)
        question.setText(
            tr("Delete 1 run from the history?")
            if count == 1
            else tr("Delete {count} runs from the history?", count=count)
        )
        question.setInformativeText(loss_text(self._panel.selected))
        text = tr("Delete 1 run") if count == 1 else tr("Delete {count} runs", count=count)
        delete = question.addButton(text, QMessageBox.ButtonRole.DestructiveRole)
        cancel = question.addButton(QMessageBox.StandardButton.Cancel)
        question.setDefaultButton(cancel)
        question.setEscapeButton(cancel)
        delete.clicked.connect(lambda: self.deleting.delete(ids))
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.open()

    def _copy(self) -> None:
        rows = self._panel.table.selected_rows
        text = markdown_of_model(self._panel.table.runs, self._panel.table.told_columns, rows)
        QGuiApplication.clipboard().setText(text)
        self._say(tr("Copied {rows} rows as Markdown.", rows=len(rows)))

    def _ask_where_to_export(self) -> None:
        lines = self._panel.selected
        dialog = self._saving(tr("Export runs"), "runs.csv", _TABLES)
        dialog.chosen.connect(lambda path: self.library.export(lines, Path(path)))
        dialog.open()

    def _save(self) -> None:
        line = self._line
        if line.row is None:
            if line.run is not None:
                self._window.commands.save_run(line.run)
            return
        run_id, name = line.row.id, f"{line.row.experiment}-{line.strategy}-{line.row.id}.jsonl"
        dialog = self._saving(tr("Save recording"), name, [tr(_RECORDINGS[0])])
        dialog.chosen.connect(lambda path: self.library.save_recording(run_id, Path(path)))
        dialog.open()

    def _ask_what_to_import(self) -> None:
        folder, kinds = self._window.settings.folder, [tr(each) for each in _RECORDINGS]
        dialog = FileDialog(self._window, tr("Import recordings"), folder, "files", kinds)
        dialog.all_chosen.connect(lambda paths: self.importing.start(list(map(Path, paths))))
        dialog.open()

    def _on_imported(self, run_ids: tuple[int, ...]) -> None:
        def reveal() -> None:
            """Those of another model than the open one are only among the runs of all models."""
            listed = {line.row.id for line in self.library.lines if line.row is not None}
            if not listed.issuperset(run_ids):
                self._panel.filter.choose_every_model()

        self._panel.select(run_ids)
        self.library.reload(reveal)

    def _saving(self, title: str, name: str, filters: list[str]) -> FileDialog:
        path = Path(self._window.settings.folder) / name
        return FileDialog(self._window, title, str(path), "save", filters)
