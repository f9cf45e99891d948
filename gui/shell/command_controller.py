"""What the window's commands do: asks for files, and hands on to those who do the work."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QProcess, QProcessEnvironment
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWhatsThis

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.errors import ModelmonError
from modelmon.core.find_best.result import SearchResult
from modelmon.core.remote import is_remote
from modelmon.gui.background.commands import MODELMON, Command
from modelmon.gui.best import best_words
from modelmon.gui.language import mark, tr
from modelmon.gui.session.actions import ACTIONS
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.details import details_text
from modelmon.gui.session.notices import Notice, complain
from modelmon.gui.shell.help_dialogs import (
    ABOUT_PX,
    CommandPalette,
    about_text,
    entry_of,
    key_entries,
)
from modelmon.gui.watch import watch_words
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.core.model.sharded import ModelChoice
    from modelmon.core.remote import Place
    from modelmon.core.worker.events import WatchedProgram
    from modelmon.gui.export.share import Sharing
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Run
    from modelmon.gui.shell.main_window import MainWindow
    from modelmon.gui.watch.watch_dialog import ProgramDialog
    from modelmon.gui.widgets.file_dialog import Wanted
    from modelmon.gui.widgets.theme import Mode

_MODELS = mark("Models (*.safetensors *.sft *.gguf *.safetensors.*json)")
_RECORDINGS = mark("Recordings and results (*.jsonl *.json)")


class CommandController(QObject):
    """Does what the table in actions.py names, and what cards offer; `does` has it by its id."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._sample_path = ""
        session = self._session
        self.does: dict[str, Callable[[], object]] = {
            "open_file": self.open_file,
            "open_folder": self.open_folder,
            "open_on_server": self.open_on_server,
            "open_recording": self.open_recording,
            "save_recording": self.save_recording,
            "export": self.export,
            "share": self.share,
            "copy_result": self.copy_result,
            "new_window": self.new_window,
            "settings": window.preferences.ask,
            "quit": window.close,
            "show_a": partial(self._show_arms, "A"),
            "show_both": partial(self._show_arms, "both"),
            "show_b": partial(self._show_arms, "B"),
            "side_panel": lambda: window.show_side_panel(not window.side.isVisibleTo(window)),
            "history": self.history,
            "replay": self.replay,
            "menu_bar": self.focus_menu_bar,
            "next_panel": window.focus_next_panel,
            "previous_panel": partial(window.focus_next_panel, backwards=True),
            "find": self.find,
            "contents": self.show_contents,
            "theme_system": partial(self._use_mode, "system"),
            "theme_light": partial(self._use_mode, "light"),
            "theme_dark": partial(self._use_mode, "dark"),
            "run_a": partial(self._run, "A"),
            "run_b": partial(self._run, "B"),
            "compare": window.compare_controller.start,
            "best": partial(window.find_best_controller.ask, window),
            "watch": self.ask_what_to_watch,
            "cluster": self.measure_cluster,
            "probe": window.probe_controller.start,
            "stop": self.stop,
            "swap": session.swap,
            "palette": self.palette,
            "stories": self.show_stories,
            "tour": self.show_tour,
            "explain": QWhatsThis.enterWhatsThisMode,
            "about": self.about,
            "watch_again": window.watch_controller.again,
            "watch_another": self.watch_another,
            "save_program": self.save_program,
            "program_a": partial(self.ask_for_program, "A"),
            "program_b": partial(self.ask_for_program, "B"),
        }

    def open_file(self) -> None:
        """Ask for a model file."""
        filters = [tr(_MODELS), tr(_RECORDINGS), tr("All files (*)")]
        self._ask(tr("Open file"), "model", filters, self._open)

    def open_folder(self) -> None:
        """Ask for a folder that holds a model."""
        self._ask(tr("Open folder"), "folder", [], self._open)

    def open_on_server(self) -> None:
        """Look for a model on a server."""
        from modelmon.gui.open.server_dialog import (  # noqa: PLC0415  start sooner without it
            ServerDialog,
        )

        recents = [recent.path for recent in self._window.settings.recents()]
        servers = [path.rpartition("/")[0] for path in recents if is_remote(path)]
        dialog = ServerDialog(Command, servers, self._window)
        dialog.chosen.connect(self._window.open_controller.open)
        dialog.open()

    def open_recording(self) -> None:
        """Ask for a recorded run or a saved comparison."""
        filters = [tr(_RECORDINGS), tr("All files (*)")]
        self._ask(tr("Open recording"), "file", filters, self._open_recording)

    def choose_model(self, folder: str, choices: tuple[ModelChoice, ...]) -> None:
        """Ask which of a folder's models to open."""
        from modelmon.gui.widgets.entry_list import (  # noqa: PLC0415  start sooner without it
            ChoiceDialog,
        )

        dialog = ChoiceDialog(folder, choices, self._window)
        dialog.chosen.connect(self._window.open_controller.open)
        dialog.open()

    def open_sample(self, path: str) -> None:
        """Open the sample that was just written."""
        self._sample_path = path
        self._window.open_controller.open_model(path, remember=False)

    def compare_sample(self) -> None:
        """Compare at once if it is the sample that was opened."""
        wanted, self._sample_path = self._sample_path, ""
        inspection = self._session.inspection
        if inspection is not None and inspection.model.path == wanted:
            self._window.compare_controller.start()

    def save_recording(self) -> None:
        """Ask where to save the selected run, or the latest."""
        runs = [run for run in self._session.runs if run.recording is not None]
        selected = self._window.workspace.runs.selected_run
        if runs:
            self.save_run(selected if selected is not None and selected in runs else runs[-1])

    def save_run(self, run: Run) -> None:
        """Ask where to save this run."""
        strategy = run.record.hello.job.strategy if run.record.hello else "run"
        strategy = strategy.replace("/", "-")
        path = Path(self._window.settings.folder, f"{run.label}-{strategy}-{run.number}.jsonl")
        kinds = [tr("Recording (*.jsonl)")]
        dialog = FileDialog(self._window, tr("Save recording"), str(path), "save", kinds)
        dialog.chosen.connect(lambda path: self.write_recording(run, Path(path)))
        dialog.open()

    def write_recording(self, run: Run, path: Path) -> None:
        """Save a run's lines, and say so or why not."""
        if run.recording is None:
            return
        try:
            run.recording.save(path)
        except ModelmonError as error:
            complain(self._session, error)
            return
        self._session.log(tr("Saved run {number} to {path}.", number=run.number, path=path))
        self._window.status.tell_saved(tr("Saved {path}", path=path), path)

    def export(self) -> None:
        """Show what will be exported, and where to."""
        # The window starts sooner without these.
        from modelmon.gui.export.dialog import ExportDialog  # noqa: PLC0415
        from modelmon.gui.export.sources import subject_of  # noqa: PLC0415

        diagnosis = self._window.machine.diagnosis
        result = subject_of(self._session)
        if result is None:
            return
        stack = diagnosis.storage_stack if diagnosis is not None else None
        programs = None if self._session.busy else self._window.programs
        dialog = ExportDialog(result, self._window, self._window.settings, stack, programs)
        dialog.accepted.connect(lambda: self._log_export(dialog.saved))
        dialog.open()

    def share(self, runs: Sequence[str] = ()) -> None:
        """Ask where to write a report: of these runs of the history, else of what is shown."""
        self._sharing().ask(self._window.settings.folder, runs)

    def _sharing(self) -> Sharing:
        from modelmon.gui.export.share import Sharing  # noqa: PLC0415  start sooner without it

        sharing = Sharing(self._session, self._window)
        sharing.written.connect(
            lambda path: self._window.status.tell_saved(tr("Saved {path}", path=path), Path(path))
        )
        return sharing

    def copy_result(self) -> None:
        """Put the ranking or the verdict on the clipboard, as Markdown."""
        program, verdict = self._session.program, self._session.shown_verdict
        if program is not None and program.result is not None:
            text = watch_words.markdown_text(program)
        elif isinstance(verdict, ClusterResult):
            text = details_text(verdict)
        elif isinstance(verdict, SearchResult):
            text = best_words.markdown_text(verdict)
        elif verdict is not None:
            from modelmon.gui.compare.verdict_details import (  # noqa: PLC0415  start sooner without it
                markdown_text,
            )

            text = markdown_text(verdict)
        else:
            return
        QGuiApplication.clipboard().setText(text)
        self._window.status.showMessage(tr("Copied the result as Markdown."), 5000)

    def new_window(self) -> None:
        """Start the program once more; a crash of one window leaves the other."""
        if not start_window():
            self._session.say(Notice(tr("Couldn't open another window."), tone="bad"))

    def history(self) -> None:
        """Show the runs that were recorded."""
        self._window.workspace.browse_history(browsing=True)
        self._window.workspace.runs.table.setFocus()

    def replay(self) -> None:
        """Follow the runs of A and B again, or stop doing so."""
        self._window.runs_tab_controller.toggle_replay()

    def show_contents(self) -> None:
        """Show all that is in the model in a window of its own."""
        self._window.side.show_contents()

    def about(self) -> None:
        """Say what this is; it can be copied for a report."""
        TextDialog(tr("About modelmon"), about_text(), self._window, ABOUT_PX).open()

    def focus_menu_bar(self) -> None:
        """Open the first menu, for the keyboard."""
        bar = self._window.menuBar()
        bar.setFocus()
        bar.setActiveAction(bar.actions()[0])

    def find(self) -> None:
        """Move the keyboard to the field over the tree."""
        self._window.show_side_panel(True)
        self._window.side.tree.search.setFocus()
        self._window.side.tree.search.selectAll()

    def measure_cluster(self) -> None:
        """Ask for a cluster, and how its nodes shall load."""
        from modelmon.gui.cluster.cluster_dialog import (  # noqa: PLC0415  start sooner without
            ClusterDialog,
        )

        dialog = ClusterDialog(self._session, self._window.settings, self._window)
        dialog.start_wanted.connect(self._start_cluster)
        dialog.open()

    def show_stories(self) -> None:
        """Offer the stories to play."""
        from modelmon.gui.shell.stories_dialog import (  # noqa: PLC0415 (few play them)
            StoriesDialog,
        )

        dialog = StoriesDialog(self._window)
        sharing = self._sharing()
        sharing.written.connect(dialog.show_written)
        sharing.refused.connect(dialog.row.hint.setText)
        dialog.share_wanted.connect(
            lambda report: sharing.ask(self._window.settings.folder, report=report)
        )
        dialog.open()

    def show_tour(self) -> None:
        """Point at one part of the window after another."""
        from modelmon.gui.shell.tour import Tour  # noqa: PLC0415  few take it

        window = self._window
        for tour in window.findChildren(Tour):
            tour.leave()
        bar = window.toolbar
        buttons = bar.buttons["watch"], bar.buttons["best"]
        Tour(window, (bar.open, window.side, *buttons, window.menuBar()))

    def stop(self) -> None:
        """Stop whatever is under way."""
        for part in self._window.findChildren(Controller):
            if not part.looks_around:
                part.stop()

    def palette(self) -> None:
        """Offer all commands, and list all keys."""
        made, runs = self._window.actions_by_id, self._window.workspace.runs
        entries = [
            entry_of(made[spec.id], tr(spec.menu), tr(spec.tool_tip) if spec.tool_tip else "")
            for spec in ACTIONS
            if spec.id != "palette"
        ]
        of_runs = [entry_of(action, tr("Runs")) for action in runs.actions_by_id.values()]
        # Nobody sees which runs are selected while their table is hidden.
        entries += of_runs if runs.isVisible() else [each._replace(action=None) for each in of_runs]
        CommandPalette([*entries, *key_entries()], self._window).open()

    def save_program(self) -> None:
        """Ask where to save the run of the program that is shown."""
        shown = self._session.program
        for run in self._session.runs:
            if shown is not None and run.record is shown.record and run.recording is not None:
                self.save_run(run)

    def watch_another(self) -> None:
        """Ask again, with the command that is shown filled in: who presses Start has read it."""
        shown = self._session.program
        self.ask_what_to_watch(shown.program if shown is not None else None)

    def ask_for_program(self, label: ArmLabel) -> ProgramDialog:
        """Ask for the command of a program in an arm; nothing is started by that."""
        from modelmon.gui.watch.watch_dialog import (  # noqa: PLC0415  start sooner without
            ProgramDialog,
        )

        programs = self._window.programs
        dialog = ProgramDialog(self._session, label, programs, self._window.settings, self._window)
        # The card's list shows the entry that was clicked, whatever came of it.
        dialog.rejected.connect(self._window.workspace.cards[label].show_settings)
        dialog.open()
        return dialog

    def _start_cluster(self, wanted: list[str]) -> None:
        self._window.cluster_controller.start(wanted)
        self._window.workspace.show_cluster()

    def _run(self, label: ArmLabel) -> None:
        """By a strategy, or by a program, which is watched."""
        program = self._session.arm_program(label)
        if program is None:
            self._window.compare_controller.run(label)
        elif program.agreed:
            self._window.watch_controller.start(program.request(self._session.cache))

    def ask_what_to_watch(self, program: WatchedProgram | None = None) -> None:
        """Ask which program to watch; `program` is filled in."""
        from modelmon.gui.watch.watch_dialog import (  # noqa: PLC0415  start sooner without it
            WatchDialog,
        )

        watching, programs = self._window.watch_controller, self._window.programs
        dialog = WatchDialog(watching, programs, self._session, self._window.settings, self._window)
        if program is not None:
            dialog.fields.fill_in("" if program.pid else program.command, program.ready)
        dialog.start_wanted.connect(watching.start)
        dialog.open()

    def _show_arms(self, view: str) -> None:
        """In place of a watched program, where one is shown."""
        self._session.show_program(None)
        self._window.workspace.plots.show_arms(view)

    def _log_export(self, places: tuple[Place, ...]) -> None:
        for place in places:
            self._session.log(tr("Exported {path}.", path=place))
        if places:
            where = tr(", ").join(map(str, places))
            here = next((Path(place.path) for place in places if not place.server), None)
            self._window.status.tell_saved(tr("Exported {path}.", path=where), here)

    def _use_mode(self, mode: Mode) -> None:
        manager().set_mode(mode)
        self._window.settings.mode = mode
        self._window.refresh_checks()

    def _open(self, path: str) -> None:
        self._window.settings.folder = str(Path(path).parent)
        self._window.open_controller.open(path)

    def _open_recording(self, path: str) -> None:
        self._window.settings.folder = str(Path(path).parent)
        self._window.open_controller.open_saved(path)

    def _ask(
        self,
        title: str,
        wanted: Wanted,
        filters: list[str],
        chosen: Callable[[str], None],
    ) -> None:
        dialog = FileDialog(self._window, title, self._window.settings.folder, wanted, filters)
        dialog.chosen.connect(chosen)
        dialog.open()


_BESIDE = "MODELMON_WINDOW_BESIDE"
_STEP_PX = 30


def start_window(program: tuple[str, ...] = MODELMON, *, beside: bool = True) -> bool:
    """Open a window of its own process, which outlives this one; False where that failed."""
    environment = QProcessEnvironment.systemEnvironment()
    if beside:
        environment.insert(_BESIDE, "yes")
    process = QProcess()
    process.setProgram(program[0])
    process.setArguments(list(program[1:]))
    process.setProcessEnvironment(environment)
    return bool(process.startDetached())


def step_aside(window: QWidget) -> None:
    """Don't cover the window that has started this one, if there is one."""
    # What this process starts is no window beside another.
    if os.environ.pop(_BESIDE, ""):
        step = QPoint(_STEP_PX, _STEP_PX)
        screen = window.screen().availableGeometry()
        is_there_room = screen.contains(window.frameGeometry().translated(step))
        window.move(window.pos() + step if is_there_room else screen.topLeft())
