"""What the window shows before anything is open: the programs that are here, and where models are
opened.
"""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QTreeView,
    QWidget,
)

from modelmon.core.remote import SCHEME, parts_of
from modelmon.core.units import size_text
from modelmon.gui.background.commands import SAMPLE_SIZE_BYTES
from modelmon.gui.language import mark, said, tr
from modelmon.gui.open.found_models import FoundList
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.settings import Recent
from modelmon.gui.widgets.dialog import scrolled_form
from modelmon.gui.widgets.layout import STRETCH, cleared, in_column, in_row
from modelmon.gui.widgets.styling import (
    ElidedLabel,
    IconLabel,
    icon_button,
    label,
    plain,
    push_button,
    restyle,
    styled,
)
from modelmon.gui.widgets.tables import COLOUR_ROLE, Padded
from modelmon.gui.widgets.theme import icon, manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtCore import QModelIndex

    from modelmon.core.programs.known_program import ListedProgram


_GAP_PX = 16
_WIDEST_PX = 1320
"""Wider, names and figures of one row are too far apart to be read together."""
_OWN_LIBRARY = "safetensors"
"""Came with modelmon: that it is here says nothing of the user's programs."""
_STARTS = {
    "llama.cpp": ("PATH", "-m", "MODEL"),
    "llama-cli": ("PATH", "-m", "MODEL"),
    "vllm": ("vllm", "serve", "MODEL"),
    "sglang": ("PATH", "-m", "sglang.launch_server", "--model-path", "MODEL"),
}
_STEPS = (
    (
        mark("Open a model"),
        mark("See what's in it, where it's stored, and whether it fits in memory."),
    ),
    (
        mark("Compare A with B"),
        mark("Runs A and B alternately, each in a new process from a cold cache."),
    ),
    (
        mark("Export winner"),
        mark("modelmon.toml stores how to load this model on this machine."),
    ),
)


class StartPage(QWidget):
    """The user's own programs first; sample, models that were open before, drop zone, models found
    and the three steps.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drop_zone = _DropZone()
        self.sample = _SampleCard()
        self.recents = RecentsList()
        self.found = FoundList()
        self.programs = ProgramsPanel()
        heading = label(tr("Which program loads your model?"), "headline")
        why = tr("Watch one start: see what it waits for, and which settings shorten the wait.")
        head = in_column(heading, label(why, "label", wrap=True), spacing=2)
        first = in_column(self.programs, self.sample, (self.recents, 1), spacing=16)
        first.addStretch(0)
        for part in (self.programs, self.sample):
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        second = in_column(self.drop_zone, (self.found, 1), spacing=16)
        inner = QWidget()
        inner.setMaximumWidth(round(_WIDEST_PX * manager().scale))
        columns = in_row((first, 4), (second, 7), spacing=16)
        in_column(head, (columns, 1), _steps(), on=inner, margins=(24, 16, 24, 24), spacing=16)
        scroll = scrolled_form(inner)
        scroll.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        in_column(scroll, on=self)

    def show_recents(self, recents: list[Recent]) -> None:
        """Show the models that were open before."""
        self.recents.show_recents(recents, time.time())
        # Who comes for the first time has none, and what is found gets their room.
        self.recents.setVisible(bool(recents))

    def show_dragging(self, dragging: bool) -> None:
        """Show that a file held over the window can be dropped."""
        restyle(self.drop_zone, active="true" if dragging else "")


class ProgramsPanel(QFrame):
    """Programs that load models and are here: `watch_wanted` carries a command to begin with."""

    watch_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        self.again = icon_button("refresh", tr("Refresh"))
        head = in_row((label(tr("Programs found here"), "title"), 1), self.again, spacing=8)
        self.rows = in_column(spacing=8)
        self.state = label("", "label", wrap=True)
        self.command = QLineEdit()
        self.command.setFont(mono_font())
        self.command.setPlaceholderText("python serve.py --model …")
        self.command.setAccessibleName(tr("Command that starts your program"))
        self.command.returnPressed.connect(self._watch_command)
        watch = push_button(tr("Watch…"), "watch")
        watch.clicked.connect(self._watch_command)
        other = in_row((label(tr("Another program"), "title"), 1), watch, spacing=8)
        column = in_column(head, on=self, margins=(15, 8, 15, 12), spacing=8)
        column.addLayout(self.rows)
        column.addWidget(self.state)
        column.addLayout(other)
        column.addWidget(self.command)

    def show_looking(self) -> None:
        """Say that programs are looked for; those that were found stay."""
        self.again.setEnabled(False)
        self.state.setText(tr("Searching for programs…"))

    def show_failure(self, why: str) -> None:
        """Say why there are none."""
        self.again.setEnabled(True)
        self.state.setText(why)

    def show_programs(self, programs: Sequence[ListedProgram]) -> None:
        """Show those that are here, and name the others."""
        self.again.setEnabled(True)
        cleared(self.rows)
        known = [each for each in programs if each.name != _OWN_LIBRARY]
        for program in known:
            if not program.obstacle:
                self.rows.addWidget(self._row(program))
        names = tr(", ").join(each.title for each in known if each.obstacle)
        self.state.setText(tr("Also supported: {names}", names=names) if names else "")

    def _row(self, program: ListedProgram) -> QWidget:
        row = QWidget()
        name = ElidedLabel("value", f"{program.title} {program.version}".strip())
        place = ElidedLabel("label", program.path)
        watch = push_button(tr("Watch…"), "watch")
        watch.setProperty("compact", True)
        watch.setAccessibleName(tr("Watch {program}", program=program.title))
        watch.clicked.connect(lambda: self.watch_wanted.emit(command_of(program)))
        in_row((in_column(name, place, spacing=0), 1), watch, on=row, spacing=8)
        watch.ensurePolished()
        row.setMinimumHeight(watch.sizeHint().height())
        return row

    def _watch_command(self) -> None:
        self.watch_wanted.emit(self.command.text().strip())


def command_of(program: ListedProgram) -> str:
    """What a person completes: how the program is started, with MODEL for the model's path."""
    words = _STARTS.get(program.name)
    if words is None or not program.path:
        return ""
    # pip puts scripts beside the Python.
    places = {"PATH": program.path, "vllm": str(Path(program.path).with_name("vllm"))}
    return shlex.join(places.get(word, word) for word in words)


class _DropZone(QFrame):
    def __init__(self) -> None:
        super().__init__()
        styled(self, "drop")
        self.setMinimumHeight(176)
        column = in_column(STRETCH, on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addWidget(IconLabel("drop", "text_2", 32), 0, Qt.AlignmentFlag.AlignHCenter)
        title = label(tr("Or drop a model file or folder here"), "headline")
        formats = label(
            tr(
                "safetensors, GGUF, sharded models, or Hugging Face snapshots. Opening "
                "reads only headers."
            ),
            "label",
            wrap=True,
        )
        for text in (title, formats):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(text)
        self.button = push_button(tr("Open…"), "open", "primary", "ink_text")
        self.history = push_button(tr("History…"), "clock")
        self.history.setToolTip(tr("All runs recorded on this machine"))
        buttons = in_row(STRETCH, spacing=8)
        for button in (self.button, self.history):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)


class _SampleCard(QFrame):
    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        head = in_row(IconLabel("sample"), (label(tr("Try a sample model"), "headline"), 1))
        column = in_column(head, on=self, margins=(16, 16, 16, 16), spacing=8)
        text = tr(
            "Creates a {size} test model and compares mmap with what suits this disk. "
            "Deleted on close.",
            size=size_text(SAMPLE_SIZE_BYTES),
        )
        column.addWidget(label(text, "label", wrap=True))
        column.addStretch(1)
        self.button = push_button(tr("Create and compare"), "run")
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)


def _steps() -> QFrame:
    frame = styled(QFrame(), "panel")
    frame.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    grid = QGridLayout(frame)
    grid.setContentsMargins(16, 12, 16, 12)
    grid.setHorizontalSpacing(12)
    for at, (title, text) in enumerate(_STEPS):
        number = styled(QLabel(str(at + 1)), "badge")
        number.setFixedSize(24, 24)
        words = in_column(margins=(0, 0, _GAP_PX, 0), spacing=2)
        words.addWidget(label(tr(title), "title"))
        words.addWidget(label(tr(text), "label", wrap=True))
        words.addStretch(1)
        grid.addWidget(number, 0, 2 * at, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(words, 0, 2 * at + 1)
        grid.setColumnStretch(2 * at + 1, 1)
    return frame


_RECENT_ROLE = Qt.ItemDataRole.UserRole
_FIELD_PX, _ROW_PX = 32, 60


class RecentsList(QFrame):
    """A heading over a list; Return or a click opens, Delete forgets."""

    chosen = Signal(str)
    forget_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        styled(self, "panel")
        head = in_row(margins=(15, 8, 15, 8))
        # As high as the field beside the other list's title.
        head.addStrut(round(_FIELD_PX * manager().scale))
        head.addWidget(label(tr("Recent"), "title"), 1)
        self._count = label("", "label")
        head.addWidget(self._count)
        self._items = QStandardItemModel(self)
        self.view = QTreeView()
        self.view.setModel(self._items)
        self.view.setAccessibleName(tr("Recent models"))
        self.view.setItemDelegate(Padded(self.view))
        self.view.setHeaderHidden(True)
        self.view.setRootIsDecorated(False)
        self._now_unix_s = 0.0
        manager().changed.connect(self._draw_icons)
        self.view.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.view.activated.connect(self._choose)
        self.view.clicked.connect(self._choose)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        forget = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.view)
        forget.setContext(Qt.ShortcutContext.WidgetShortcut)
        forget.activated.connect(self._forget)
        in_column(head, (self.view, 1), on=self, margins=(1, 0, 1, 1), spacing=0)

    def show_recents(self, recents: list[Recent], now_unix_s: float) -> None:
        """Show these models; `now_unix_s` tells today from yesterday."""
        self._items.clear()
        self._now_unix_s = now_unix_s
        for recent in recents:
            item = QStandardItem("")
            item.setData(recent, _RECENT_ROLE)
            item.setSizeHint(QSize(0, round(_ROW_PX * manager().scale)))
            told = (recent.path, said(recent.outcome))
            item.setToolTip(plain("\n".join(filter(None, told))))
            item.setData(f"{recent.name}, {what_text(recent)}", Qt.ItemDataRole.AccessibleTextRole)
            self._items.appendRow(item)
        self._draw_icons()
        self.mark_gone(())
        count = len(recents)
        many = tr("{count} models", count=count) if count else ""
        self._count.setText(tr("1 model") if count == 1 else many)

    def _draw_icons(self) -> None:
        for row in range(self._items.rowCount()):
            self._items.item(row).setIcon(icon("model"))

    def mark_gone(self, paths: Collection[str]) -> None:
        """Say of the models that lie at these paths that they are not there any more."""
        for row in range(self._items.rowCount()):
            item = self._items.item(row)
            recent: Recent = item.data(_RECENT_ROLE)
            when = date_text(recent, self._now_unix_s)
            outcome = " · ".join(filter(None, (said(recent.outcome), when)))
            gone = recent.path in paths
            last = tr("no longer there") if gone else outcome
            item.setText("\n".join((recent.name, what_text(recent), last)))
            # A file that is gone may come back.
            item.setData("text_2" if gone else "text", COLOUR_ROLE)

    def _choose(self, index: QModelIndex) -> None:
        recent = index.data(_RECENT_ROLE)
        if isinstance(recent, Recent):
            self.chosen.emit(recent.path)

    def _forget(self) -> None:
        recent = self.view.currentIndex().data(_RECENT_ROLE)
        if isinstance(recent, Recent):
            self.forget_wanted.emit(recent.path)

    def _open_menu(self, place: QPoint) -> None:
        recent = self.view.indexAt(place).data(_RECENT_ROLE)
        if not isinstance(recent, Recent):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), lambda: self.chosen.emit(recent.path))
        menu.addAction(tr("Remove from the list"), lambda: self.forget_wanted.emit(recent.path))
        menu.popup(self.view.viewport().mapToGlobal(place))


def what_text(recent: Recent) -> str:
    """What a model is: `safetensors, 16.1 GB, 34 blocks`; and the server that it is on."""
    server = parts_of(recent.path).server.removeprefix(SCHEME)
    what = tr(
        "{format}, {size}, {blocks} blocks",
        format=recent.format,
        size=size_text(recent.nbytes),
        blocks=recent.blocks,
    )
    return f"{what} · {server}" if server else what


def date_text(recent: Recent, now_unix_s: float) -> str:
    """When its result was measured; without one, or where that is not known, when it was open."""
    if recent.outcome and recent.measured_unix_s:
        return tr("measured {when}", when=when_text(recent.measured_unix_s, now_unix_s))
    return tr("opened {when}", when=when_text(recent.opened_unix_s, now_unix_s))
