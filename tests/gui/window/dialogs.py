"""The dialogs of the window, each asked for as its command does."""

from best_fakes import PLAN
from machine_fakes import make_diagnosis
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from window_fakes import make_comparison, make_inspection

from modelmon.gui.best.best_dialog import FindBestDialog
from modelmon.gui.cluster.cluster_dialog import ClusterDialog
from modelmon.gui.compare.verdict_details import VerdictDetails
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.language import tr
from modelmon.gui.model.machine_details import DetailsDialog
from modelmon.gui.model.model_contents import ModelContents
from modelmon.gui.open.server_dialog import ServerDialog
from modelmon.gui.runs.run_dialogs import ChangesDialog
from modelmon.gui.shell.stories_dialog import StoriesDialog
from modelmon.gui.watch.watch_dialog import WatchDialog
from modelmon.gui.widgets.dialog import AgreementDialog, TextDialog, screen_room


def settings(window):
    return window.preferences.ask()


def export(window):
    window.commands.export()
    return window.findChildren(ExportDialog)[-1]


def about(window):
    window.commands.does["about"]()
    return window.findChildren(TextDialog)[-1]


def stories(window):
    window.commands.does["stories"]()
    return window.findChildren(StoriesDialog)[-1]


def find_best(window):
    """With the cost that is told before the start."""
    window.commands.does["best"]()
    window.find_best_controller.planned.emit(PLAN)
    return window.findChildren(FindBestDialog)[-1]


def changes(window):
    window.runs_tab_controller.do("changes")
    return window.findChildren(ChangesDialog)[-1]


def contents(window):
    window.commands.show_contents()
    return window.findChildren(ModelContents)[-1]


def own_preset(window):
    return window.workspace.cards["A"].ask_for_name()


def watch(window):
    window.commands.does["watch"]()
    return window.findChildren(WatchDialog)[-1]


def program(window):
    return window.commands.ask_for_program("B")


def verdict_details(window):
    window.workspace.slot.page.offered[tr("Details…")].click()
    return window.findChildren(VerdictDetails)[-1]


def machine_details(window):
    window.machine.diagnosis = make_diagnosis()
    window.side.findings.details.click()
    return window.findChildren(DetailsDialog)[-1]


def server(window):
    window.commands.open_on_server()
    return window.findChildren(ServerDialog)[-1]


def cluster(window):
    window.commands.measure_cluster()
    return window.findChildren(ClusterDialog)[-1]


def agreement(window):
    AgreementDialog({"A": "serve --model /m", "B": "serve"}, window).open()
    return window.findChildren(AgreementDialog)[-1]


DIALOGS = (
    *(settings, export, about, stories, find_best, changes, contents, own_preset),
    *(watch, program, verdict_details, machine_details, server, cluster, agreement),
)


def asked(window, ask):
    """A dialog of a window in which two ways were compared."""
    window.session.set_inspection(make_inspection())
    window.session.conclude(make_comparison())
    return ask(window)


def too_large(dialog):
    """How a dialog doesn't fit the screen, or the smallest that a window here is made for."""
    room = screen_room(dialog).expandedTo(QSize(960, 470))
    fits = dialog.width() <= room.width() and dialog.height() <= room.height()
    return "" if fits else f"{dialog.width()}x{dialog.height()}, not {room.width()}x{room.height()}"


def in_order(dialog):
    """Whether the buttons below stand in the one order: what closes it, then what it is for."""
    buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible()]
    places = {each: each.mapTo(dialog, each.rect().center()) for each in buttons}
    last = max((place.y() for place in places.values()), default=0)
    row = [each for each in buttons if last - places[each].y() < 12]
    row.sort(key=lambda each: places[each].x())
    leave = [at for at, each in enumerate(row) if each.text().strip() in ("Close", "Cancel")]
    primary = [at for at, each in enumerate(row) if each.property("role") == "primary"]
    # The order of a QDialogButtonBox is the desktop's.
    return (
        not dialog.findChildren(QDialogButtonBox)
        and len(leave) == bool(row)
        and all(at < len(row) - 1 or row[at].icon().isNull() for at in leave)
        and (not row or leave[0] == len(row) - 1 or primary[-1:] == [len(row) - 1])
        and not any(at < leave[0] for at in primary)
    )
