"""The cards: settings, strategies, the popup that edits them; and notices of the slot."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QSpinBox
from window_fakes import LOAD_A, LOAD_B, make_comparison, make_inspection, make_model, slot_of

from modelmon.core.load.config import AXES, PRESETS
from modelmon.core.load.libraries import registry
from modelmon.core.worker.result import summarise
from modelmon.gui.compare.setting_chips import AxisEditor
from modelmon.gui.compare.strategy_box import offered
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.compare.verdict_details import chips as chips_of
from modelmon.gui.compare.verdict_details import markdown_text
from modelmon.gui.export.entry_page import ExportList
from modelmon.gui.export.sources import ExportEntry
from modelmon.gui.open.start_page import RecentsList
from modelmon.gui.session.notices import Choice, Notice, ProgressView, Square
from modelmon.gui.session.session import Activity
from modelmon.gui.session.settings import Recent, Settings
from modelmon.gui.shell.progress_page import OrderStrip
from modelmon.gui.shell.status_line import LogView
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.theme import DARK, LIGHT, icon


def card(qtbot, session, arm="A", width=700):
    made = StrategyCard(session, arm, int)
    qtbot.addWidget(made)
    made.resize(width, made.height())
    made.show()
    return made


def chips(made):
    """Texts of the visible chips and the arm in whose colour they stand out."""
    return {
        button.text(): str(button.property("arm") or "") for button in made.chips.shown.values()
    }


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_differing_settings_have_chips_and_equal_ones_unfold(qtbot, session):
    made = card(qtbot, session, width=1000)
    session.set_results("A", (summarise(LOAD_A.record()),))
    figures = [metric for metric in made.outcome.metrics if metric.isVisible()]
    for each in (*figures, made.outcome.result, *made.chips.shown.values()):
        assert each.accessibleDescription()
        assert each.accessibleDescription() in each.toolTip()
    names = [metric.accessibleName() for metric in figures]
    assert names[:2] == ["throughput: 1 GB/s", "peak memory: 2.01 GB"]
    shown = chips(made)
    assert shown["Access: mmap"] == "A"
    assert set(shown.values()) == {"A"}
    assert not any("Descriptor" in text for text in shown)
    told = made.chips.more.toolTip().splitlines()
    assert "Descriptor: own" in told
    qtbot.mouseClick(made.chips.more, Qt.MouseButton.LeftButton)
    (editor,) = made.chips.findChildren(AxisEditor)
    assert "descriptor" in editor.fields
    assert "access" not in editor.fields
    assert made.chips.more.text() == f"{len(editor.fields)} the same"
    assert len(told) == len(editor.fields)
    editor.close()
    session.copy_to_other("A")
    assert set(chips(made).values()) == {""}
    assert len(chips(made)) == 4
    assert made.chips.more.text() == "10 more settings"


def test_that_a_setting_of_both_that_is_no_default_has_a_chip_on_both(qtbot, session):
    both = [card(qtbot, session, label, 1000) for label in ("A", "B")]
    session.set_axis("B", "deliver", "decoded")
    for made in both:
        assert chips(made)["Delivery: decoded (A and B)"] == ""
    # Where there is room for one alone, it is the one that was set.
    narrow = card(qtbot, session, width=300)
    assert list(narrow.chips.shown) == ["deliver"]
    session.set_axis("B", "deliver", "usable")
    assert not any("Delivery" in text for made in both for text in chips(made))


def test_that_the_verdict_names_settings_that_are_no_defaults():
    decoded = [
        replace(each, config=replace(each.config, deliver="decoded")) for each in (LOAD_A, LOAD_B)
    ]
    fewer = replace(LOAD_B, config=replace(LOAD_B.config, readers=2))
    chip = {
        key: [each.text for each in chips_of(make_comparison(*loads), changed=False)]
        for key, loads in {"both": decoded, "B": (LOAD_A, fewer), "no": (LOAD_A, LOAD_B)}.items()
    }
    assert "Delivery: decoded (A and B)" in chip["both"]
    assert "Delivery: decoded (A and B)\n" in markdown_text(make_comparison(*decoded))
    assert "B: Readers: 2" in chip["B"]
    assert not any("Delivery" in text or "Readers" in text for text in chip["no"])


def test_that_nothing_can_be_changed_while_a_run_is_under_way(qtbot, session):
    made = card(qtbot, session)
    session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not made.preset.isEnabled()
    assert made.preset.toolTip()
    button = made.chips.shown["access"]
    assert not button.isEnabled()
    assert "during a run" in button.toolTip()
    session.end()
    assert made.preset.isEnabled()
    assert button.isEnabled()


def slot(qtbot, session):
    made = slot_of(session)
    qtbot.addWidget(made)
    made.resize(1100, made.height())
    made.show()
    return made


def test_that_a_notice_offers_its_choices_once(qtbot, session):
    made = slot(qtbot, session)
    chosen = []
    session.say(
        Notice(
            "Two ways.",
            choices=(Choice("One", lambda: chosen.append("one")), Choice("Two", lambda: None)),
        )
    )

    assert [*made.page.offered] == ["One", "Two"]
    qtbot.mouseClick(made.page.offered["One"], Qt.MouseButton.LeftButton)
    assert chosen == ["one"]
    session.say(Notice("No way."))
    assert not made.page.offered
    assert not any(button.isVisible() for button in made.page.buttons)
    # An offer is withdrawn when the settings change.
    session.say(Notice("Compare a part?", choices=(Choice("Yes", lambda: None),)))
    session.set_axis("A", "readers", "3")
    assert session.notice is None


def test_that_the_order_of_runs_can_be_read_and_says_where_it_leaves_some_out(qtbot):
    strip = OrderStrip()
    qtbot.addWidget(strip)
    strip.set_squares((Square("A", "done"), Square("B", "now"), Square("B", "to-do")))
    assert strip.accessibleDescription() == "A done, B in progress, B pending"
    told = []
    for now in (0, 13, 25):
        order = [Square("AB"[at % 2], "now" if at == now else "to-do") for at in range(26)]
        strip.set_squares(tuple(order))
        cells = re.findall(r">([AB…])<", re.sub("</?u>", "", strip.text()))
        assert len(cells) == 20
        told.append((cells[0] == "…", cells[-1] == "…"))
    assert told == [(False, True), (True, True), (True, False)]


def test_that_arrow_keys_move_through_segments(qtbot):
    segments = Segments("Cache", (("cold", "Cold"), ("warm", "Warm"), ("as-is", "As is")))
    qtbot.addWidget(segments)
    segments.show()
    segments.set_value("cold")
    with qtbot.waitSignal(segments.chosen) as caught:
        qtbot.keyClick(segments, Qt.Key.Key_Right)
    assert caught.args == ["warm"]
    qtbot.keyClick(segments, Qt.Key.Key_Left)
    qtbot.keyClick(segments, Qt.Key.Key_Left)
    assert segments.value == "as-is"


GGUF = "gguf.GGUFReader"


@pytest.fixture
def gguf():
    """A model that the gguf package, which modelmon needs anyhow, can read."""
    return structs.replace(make_model(), format="gguf")


@pytest.fixture
def gguf_card(qtbot, session, gguf):
    session.set_inspection(make_inspection(gguf))
    made = StrategyCard(session, "A", int)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    return made


def entries(gguf_card):
    """Text, whether it can be taken, and tool tip of each entry; a line has no text."""
    items = gguf_card.preset.model()
    found = []
    for row in range(items.rowCount()):
        index = items.index(row, 0)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
        found.append((str(index.data() or ""), enabled, tip))
    return found


def test_that_the_list_has_presets_and_libraries_and_why_some_cannot_load_this_model(gguf_card):
    listed = {text: (enabled, tip) for text, enabled, tip in entries(gguf_card)}
    texts = [text for text, _, _ in entries(gguf_card)]
    assert texts == [*PRESETS, "", *registry.names(), "", "A program…", "", "custom"]
    assert listed[""][0] is False
    assert listed["safetensors.get_tensor"][0] is False
    assert "not gguf" in listed["safetensors.get_tensor"][1]
    assert listed[GGUF][0] is True
    assert "Version" in listed[GGUF][1]
    # When each wins, or why it can't be used, stands beside its name.
    items = gguf_card.preset.model()
    # A gap is no entry, wherever it is clicked.
    gap = [items.index(texts.index(""), column) for column in (0, 1)]
    assert not any(index.flags() & Qt.ItemFlag.ItemIsEnabled for index in gap)
    gguf_card.preset.activated.emit(texts.index(""))
    rows = [items.index(row, 0) for row in range(items.rowCount())]
    beside = {index.data(): index.siblingAtColumn(1).data() for index in rows}
    assert beside["mmap"] == PRESETS["mmap"].when_it_wins
    assert "loads safetensors files, not gguf" in beside["safetensors.get_tensor"]
    absent = [offer for offer in offered(None, {})[2] if "not installed" in offer.obstacle]
    assert all("pip install" in offer.obstacle for offer in absent)


def test_that_a_librarys_card_shows_version_and_delivery(gguf_card, session):
    session.set_preset("A", GGUF)
    offer = next(offer for offer in offered(session.inspection.model, {})[2] if offer.name == GGUF)  # type: ignore[union-attr]
    assert offer.version
    assert gguf_card.sentence.whole == offer.sentence
    texts = {name: button.text() for name, button in gguf_card.chips.shown.items()}
    assert offer.version.split()[0] in texts["library"]
    assert "readers" not in texts
    for deliver, shown in (("untouched", "untouched"), ("owned", "owned")):
        session.set_axis("A", "deliver", deliver)
        told = [button.accessibleName() for button in gguf_card.chips.shown.values()]
        told += gguf_card.chips.more.toolTip().splitlines()
        assert any(text.startswith(f"Delivery: {shown}") for text in told)


def test_that_an_own_preset_is_named_listed_and_deleted(gguf_card, session, qtbot):
    session.set_axis("A", "readers", "3")
    assert session.strategy_name("A") == "custom"
    dialog = gguf_card.ask_for_name()
    assert not dialog.save.isEnabled()
    dialog.name.setText("mmap")
    assert not dialog.save.isEnabled()
    assert "built-in strategy" in dialog.hint.text()
    qtbot.keyClicks(dialog.name, " of three")
    dialog.save.click()
    assert gguf_card.sentence.whole == "Your preset."
    texts = [text for text, _, _ in entries(gguf_card)]
    assert texts[len(PRESETS) : len(PRESETS) + 3] == ["", "mmap of three", ""]
    # It keeps what both arms deliver.
    session.set_axis("A", "deliver", "owned")
    assert session.strategy_name("A") == "mmap of three"
    session.set_preset("B", "mmap of three")
    assert session.config("A").deliver == session.config("B").deliver == "owned"
    menu = gguf_card.card_menu()
    save = next(action for action in menu.actions() if action.text().startswith("Save as"))
    assert not save.isEnabled()
    (submenu,) = [menu for menu in menu.findChildren(type(menu)) if menu.title().startswith("Del")]
    (delete,) = submenu.actions()
    delete.trigger()
    assert gguf_card.preset.currentText() == "custom"
    assert "mmap of three" not in [text for text, _, _ in entries(gguf_card)]


def test_that_own_presets_survive_a_restart_and_damaged_ones_are_left_out(tmp_path, session):
    settings = Settings(tmp_path / "window.ini")
    mine = {"three": replace(session.config("A"), readers=3), "裸": session.config("B")}
    settings.change_presets({}, mine)
    settings.save()
    assert Settings(tmp_path / "window.ini").own_presets == mine
    for stored in ("{", "[]", '{"x": 1}', '{"x": {"readers": 1000}}'):
        settings._store.setValue("presets", stored)
        assert settings.own_presets == {}


pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def a_card(qtbot, session):
    made = StrategyCard(session, "A", int)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    return made


@pytest.fixture
def editor(a_card):
    """An editor of all axes of A."""
    return a_card.chips.edit(a_card.menu_button, "all settings", AXES)


def box(editor, axis):
    field = editor.fields[axis]
    assert isinstance(field, QComboBox)
    return field


def number(editor, axis):
    field = editor.fields[axis]
    assert isinstance(field, QSpinBox)
    return field


def reason(field, text):
    """Why an entry cannot be taken; "" if it can."""
    index = field.model().index(field.findText(text), 0)
    enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
    assert enabled != bool(tip)
    return tip


def test_that_keys_choose_a_value_and_each_edit_changes_what_else_is_possible(
    session, editor, qtbot
):
    qtbot.keyClick(box(editor, "order"), Qt.Key.Key_Down)
    assert session.config("A").order == "random"
    qtbot.keyClick(number(editor, "readers"), Qt.Key.Key_Up)
    assert session.config("A").readers == 2
    assert reason(box(editor, "warmup"), "read") == ""
    session.set_axis("A", "access", "direct")
    assert "no effect" in reason(box(editor, "warmup"), "read")
    assert "flag" in reason(box(editor, "descriptor"), "shared")
    session.set_axis("A", "access", "mmap")
    assert reason(box(editor, "warmup"), "read") == ""
    session.set_axis("A", "reader_kind", "process")
    ranks = number(editor, "ranks")
    assert not ranks.isEnabled()
    assert "process already" in ranks.toolTip()
    session.set_axis("A", "reader_kind", "thread")
    session.set_axis("A", "ranks", "4")
    session.set_axis("A", "rank_share", "slice")
    assert (ranks.minimum(), ranks.maximum()) == (2, 64)
    assert "more than one rank" in ranks.toolTip()
    # An unusual size is in its list.
    session.set_axis("A", "chunk_bytes", "12KiB")
    sizes = box(editor, "chunk_bytes")
    assert sizes.currentText() == "12 KiB"
    every = [sizes.itemData(at) for at in range(sizes.count())]
    assert every == sorted(every)


def test_that_what_this_model_or_its_place_rules_out_cannot_be_chosen(session, a_card):
    def chosen(axis):
        return box(a_card.chips.edit(a_card, axis, (axis,)), axis)

    def of_preset():
        index = a_card.preset.model().index(a_card.preset.findText("direct"), 0)
        return bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)

    known = make_inspection()
    assert reason(chosen("access"), "direct") == ""
    assert of_preset()
    in_memory = structs.replace(known.storage, filesystem="tmpfs")
    session.set_inspection(structs.replace(known, storage=in_memory))
    access = chosen("access")
    assert "is in memory (tmpfs)" in reason(access, "direct")
    assert reason(access, "read") == ""
    assert not of_preset()
    tip = a_card.preset.itemData(a_card.preset.findText("direct"), Qt.ItemDataRole.ToolTipRole)
    assert "is in memory" in tip
    session.set_axis("A", "access", "read")
    assert reason(chosen("deliver"), "decoded") == ""
    first, *others = known.model.tensors
    packed = structs.replace(known.model, tensors=(structs.replace(first, dtype="F4"), *others))
    session.set_inspection(structs.replace(known, model=packed))
    session.set_axis("A", "access", "read")
    assert "F4 can't be decoded" in reason(chosen("deliver"), "decoded")
    assert reason(chosen("deliver"), "streamed") == ""


@pytest.fixture
def log(session, qtbot, alone):
    del alone
    made = LogView(session)
    qtbot.addWidget(made)
    session.log("Opened it.")
    session.log("The disk is busy.\nWait for it.", "warning")
    session.log("The disk is gone.", "error")
    return made


def colours(log):
    """The colour of each line's last letter."""
    found, block = [], log.document().begin()
    while block.isValid():
        looks = block.layout().formats()
        found.append(looks[-1].format.foreground().color())
        block = block.next()
    return found


def test_that_lines_have_the_colours_of_their_levels_and_follow_the_theme(log, theme_manager):
    assert colours(log) == [LIGHT.text, LIGHT.warn, LIGHT.warn, LIGHT.bad]
    before = log.toPlainText()
    theme_manager.set_mode("dark")
    log.add("info", "Opened it again.")
    assert colours(log) == [DARK.text, DARK.warn, DARK.warn, DARK.bad, DARK.text]
    assert log.toPlainText().startswith(before)


def test_that_icons_and_grey_words_in_lists_follow_the_theme(gguf_card, qtbot, theme_manager):
    advice = SimpleNamespace(standing="measured")
    recents, export = RecentsList(), ExportList()
    for each in (recents, export):
        qtbot.addWidget(each)
    recents.show_recents([Recent("/data/model", "model", "gguf", 1, 1, 0.0)], 0.0)
    export.show_entries([ExportEntry("vllm", "vLLM", "A server", advice=advice)], ["vllm"])
    ticked = []
    export.ticked.connect(lambda: ticked.append(True))
    for mode, theme in (("light", LIGHT), ("dark", DARK)):
        theme_manager.set_mode(mode)
        first = recents.view.model().index(0, 0).data(Qt.ItemDataRole.DecorationRole)
        assert first.cacheKey() == icon("model", theme.text).cacheKey()
        assert colour_of(export.item(0).icon()) == theme.good
        beside = gguf_card.preset.model().index(0, 1)
        assert beside.data(Qt.ItemDataRole.ForegroundRole) == theme.text_2
    assert not ticked


def colour_of(drawn):
    """Of what is drawn most clearly."""
    image = drawn.pixmap(16).toImage()
    every = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return QColor(max(every, key=QColor.alpha).name())
