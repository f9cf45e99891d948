"""Names that steer, turn text around or look like HTML, wherever the window shows them."""

import csv
import re
from functools import partial

import gguf
import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QToolTip,
    QWidget,
)
from window_fakes import GB
from window_states import States

from modelmon.core.crash_log import note_error
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.errors import ModelFileError
from modelmon.core.messages import Message
from modelmon.core.model.found_models import FoundModel, SearchedPlace
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.terminal_safe import one_line
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.run_strip import RunStrip
from modelmon.gui.plots.saving import copy_csv, copy_markdown
from modelmon.gui.runs.runs_tree import RunsTree
from modelmon.gui.session.notices import complain
from modelmon.gui.widgets.tables import markdown_table

NAME = "\x1b]8;;attack\x1b\\click\x9b31m\u202egro.\u2066 <b>BOLD</b> <img src=x>"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / NAME.replace("/", "")
    folder.mkdir()
    path = folder / f"{folder.name}.gguf"
    writer = gguf.GGUFWriter(path, NAME)
    writer.add_name(NAME)
    for number in range(3):
        writer.add_tensor(f"blk.{number}.{NAME}", np.ones((4, 32), np.float32))
    writer.add_tensor(NAME, np.ones(32, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def shown(window):
    """Every text of a window with where it stands, and whether HTML would be taken for that."""
    for widget in (window, *window.findChildren(QWidget)):
        where = f"{type(widget).__name__} {widget.objectName()}"
        yield f"{where} tool tip", widget.toolTip(), False
        yield f"{where} title", widget.windowTitle(), False
        if isinstance(widget, QLabel):
            yield where, widget.text(), widget.textFormat() != Qt.TextFormat.PlainText
        elif isinstance(widget, QAbstractButton | QLineEdit):
            yield where, widget.text(), False
        elif isinstance(widget, QComboBox):
            yield from ((where, widget.itemText(at), False) for at in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _cells(where, widget.model(), QModelIndex())
        for action in widget.actions():
            yield f"{where} action", action.text(), False
            yield f"{where} action tip", action.toolTip(), False


def _cells(where, model, parent):
    for row in range(model.rowCount(parent)):
        for column in range(model.columnCount(parent)):
            index = model.index(row, column, parent)
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                yield where, str(index.data(role) or ""), False
        yield from _cells(where, model, model.index(row, 0, parent))


def test_that_no_view_takes_a_name_for_more(window, model, recordings):
    states = States(window, recordings)
    states.compared()
    inspection = inspect_model(model)
    window.session.set_inspection(inspection)
    window.settings.add_recent(str(model), inspection.model, 1.0)
    window.workspace.empty.show_recents(window.settings.recents())
    window.workspace.empty.found.show_found(
        [
            FoundModel(NAME, NAME, str(model), GB, NAME, 2),
            FoundModel(NAME, NAME, str(model), GB, problem=Message("{name}", name=NAME)),
        ],
        [SearchedPlace(NAME, NAME, "read", 1)],
        usable_bytes=GB,
        looking=False,
    )
    complain(window.session, ModelFileError(Message("{path} is cut.", path=model)))
    found = [each for each in shown(window) if "click" in each[1]]
    assert len({where for where, _, _ in found}) > 5, "the name is shown"
    raw = [(where, text) for where, text, _ in found if FORBIDDEN.search(text)]
    taken_for_html = [
        (where, text)
        for where, text, is_html in found
        if is_html and re.search("<(?:b|img src=x)>", text)
    ]
    assert not dict(raw)
    assert not taken_for_html


def is_tool_tip(widget):
    return widget.inherits("QTipLabel") and widget.isVisible()


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_no_tool_tip_is_html_for_which_files_are_read(window, recordings):
    """Of a server, a program's output or a result that was dropped: of whatever is shown."""
    States(window, recordings).compared()
    found = window.session.verdict
    arm = replace(found.arm_a, strategy=one_line(NAME))
    window.session.conclude(replace(found, arm_a=arm))
    (strip,) = [each for each in window.findChildren(RunStrip) if "click" in each.toolTip()]
    place = strip.rect().center()
    rest = QHelpEvent(QEvent.Type.ToolTip, place, strip.mapToGlobal(place))
    QApplication.sendEvent(strip, rest)
    (tip,) = filter(is_tool_tip, QApplication.topLevelWidgets())
    assert "<img src=x>" in tip.text()
    assert tip.textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()


def test_that_what_is_copied_of_a_model_is_a_line_of_text_and_no_formula(qtbot):
    tree, hostile = ModelTree(), f"=1+1{NAME}\nrm -r x\t\r"
    qtbot.addWidget(tree)
    tensor = Tensor(hostile, "F32", (1,), 0, 0, 4)
    shard, block = Shard("/m/m.safetensors", 4, 0), Block(hostile, (0,), 4)
    tree.set_model(Model("m", "/m", "safetensors", (shard,), (tensor,), (block,), {}))
    tree.view.expandAll()
    index = tree.view.model().index(0, 0)
    while (below := tree.view.indexBelow(index)).isValid():
        index = below
    tree.view.setCurrentIndex(index)
    for copy in (tree.view.copy_name, tree.view.copy_row, tree.view.copy_markdown):
        copy.trigger()
        text = QGuiApplication.clipboard().text()
        assert "rm -r x" in text
        assert not FORBIDDEN.search(text)
        assert not re.search(r"^rm|\trm", text, re.MULTILINE)
        assert copy is not tree.view.copy_row or not re.search(r"(?:^|\t)[=+@-]", text)


def test_that_whatever_is_copied_of_runs_is_text_without_formulas(
    window, recordings, monkeypatch, tmp_path
):
    """A plot's figures, the verdict, the ranking, the list of runs and a report of an error."""
    hostile, session = f"=1+1{NAME}\nrm -r x", window.session
    safe = one_line(hostile)  # as what opens models and recordings leaves it
    planned = recordings._planned

    def named(fake):
        made = planned(fake)
        names = tuple(f"{safe}{at}" for at in range(len(made.block_names)))
        return replace(made, model_name=safe, block_names=names, device_name=safe)

    monkeypatch.setattr(recordings, "_planned", named)
    states = States(window, recordings)
    copied = {}

    def copy(where, action):
        QGuiApplication.clipboard().clear()
        action()
        if text := QGuiApplication.clipboard().text():
            copied[where] = text

    states.raced()
    copy("ranking", window.actions_by_id["copy_result"].trigger)
    copy("ranking table", window.workspace.best.copy_table)
    states.compared()
    found = session.verdict
    arms = {name: replace(getattr(found, name), strategy=safe) for name in ("arm_a", "arm_b")}
    session.conclude(replace(found, path=hostile, model=replace(found.model, name=safe), **arms))
    copy("verdict", window.actions_by_id["copy_result"].trigger)
    for at in range(window.workspace.tabs.count()):
        window.workspace.tabs.setCurrentIndex(at)
    for plot in window.findChildren(PlotFrame):
        if plot.has_table and not plot.is_empty:
            copy(f"{type(plot).__name__} CSV", partial(copy_csv, plot))
            copy(f"{type(plot).__name__} Markdown", partial(copy_markdown, plot))
    for tree in window.findChildren(RunsTree):
        tree.selectAll()
        copied["runs"] = tree.markdown()
    copied["crash"] = note_error(RuntimeError(hostile), path=tmp_path / "crash.log")
    assert len(copied) > 12
    named = {where for where, text in copied.items() if "click" in text}
    assert named >= {"verdict", "crash", "BlockTimings CSV", "Waterfall Markdown"}
    for where, text in copied.items():
        assert not (odd := FORBIDDEN.search(text.replace("\n", ""))), (where, odd, text)
        if where.endswith("CSV"):
            cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
            assert not [cell for cell in cells if re.match("[=+@\t]", cell)], where
        elif where != "crash":
            assert not re.search(r"^rm ", text, re.MULTILINE), where
            assert not re.search(r"(?<!\\)<(b|img)", text), where


def test_that_copied_tables_make_no_links_and_no_pictures_of_names():
    table = markdown_table(("Name",), [(f"{NAME} ![x](http://a.example/x) `|`\n| next |",)])
    assert table.count("\n") == 3
    row = table.splitlines()[2]
    assert not FORBIDDEN.search(row)
    assert not re.search(r"(?<!\\)[<\[`]", row)
    assert len(re.findall(r"(?<!\\)\|", row)) == 2
