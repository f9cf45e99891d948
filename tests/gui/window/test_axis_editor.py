"""The popup that edits axes, and the chips that open it."""

import pytest
from msgspec import structs
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import QComboBox, QSpinBox
from window_fakes import make_inspection

from modelmon.core.load.config import AXES
from modelmon.gui.compare.strategy_card import StrategyCard

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def card(qtbot, session):
    made = StrategyCard(session, "A")
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    return made


@pytest.fixture
def editor(card):
    """An editor of all axes of A."""
    return card.chips.edit(card.menu_button, "all settings", AXES)


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


def test_that_every_axis_has_a_field_with_its_value(session, editor):
    assert set(editor.fields) == set(AXES)
    assert box(editor, "chunk_bytes").currentText() == "4 MiB"
    assert box(editor, "prefetch_bytes").currentText() == "off"
    assert number(editor, "readers").value() == session.config("A").readers


def test_that_keys_choose_a_value(session, editor, qtbot):
    qtbot.keyClick(box(editor, "order"), Qt.Key.Key_Down)
    assert session.config("A").order == "random"
    qtbot.keyClick(number(editor, "readers"), Qt.Key.Key_Up)
    assert session.config("A").readers == 2


def test_that_each_edit_changes_what_else_is_possible(session, editor):
    assert reason(box(editor, "warmup"), "read") == ""
    session.set_axis("A", "access", "direct")
    assert "no effect" in reason(box(editor, "warmup"), "read")
    assert "flag" in reason(box(editor, "descriptor"), "shared")
    session.set_axis("A", "access", "mmap")
    assert reason(box(editor, "warmup"), "read") == ""


def test_that_no_read_is_past_the_cache_where_the_model_lies_in_memory(session, card):
    def of_preset():
        index = card.preset.model().index(card.preset.findText("direct"), 0)
        return bool(index.flags() & usable)

    usable, tip = Qt.ItemFlag.ItemIsEnabled, Qt.ItemDataRole.ToolTipRole
    assert reason(box(card.chips.edit(card, "access", ("access",)), "access"), "direct") == ""
    assert of_preset()
    known = make_inspection()
    in_memory = structs.replace(known.storage, filesystem="tmpfs")
    session.set_inspection(structs.replace(known, storage=in_memory))
    access = box(card.chips.edit(card, "access", ("access",)), "access")
    assert "is in memory (tmpfs)" in reason(access, "direct")
    assert reason(access, "read") == ""
    assert not of_preset()
    assert "is in memory" in card.preset.itemData(card.preset.findText("direct"), tip)


def test_that_types_without_a_decoder_cannot_be_chosen_to_be_decoded(session, card):
    def deliver():
        return box(card.chips.edit(card, "deliver", ("deliver",)), "deliver")

    session.set_axis("A", "access", "read")
    assert reason(deliver(), "decoded") == ""
    known = make_inspection()
    first, *others = known.model.tensors
    packed = structs.replace(known.model, tensors=(structs.replace(first, dtype="F4"), *others))
    session.set_inspection(structs.replace(known, model=packed))
    session.set_axis("A", "access", "read")
    assert "F4 can't be decoded" in reason(deliver(), "decoded")
    assert reason(deliver(), "streamed") == ""


def test_that_a_number_goes_as_far_as_is_possible(session, editor):
    session.set_axis("A", "reader_kind", "process")
    ranks = number(editor, "ranks")
    assert not ranks.isEnabled()
    assert "process already" in ranks.toolTip()
    session.set_axis("A", "reader_kind", "thread")
    session.set_axis("A", "ranks", "4")
    session.set_axis("A", "rank_share", "slice")
    assert (ranks.minimum(), ranks.maximum()) == (2, 64)
    assert "more than one rank" in ranks.toolTip()


def test_that_a_field_without_a_choice_says_why(session, editor):
    kind = box(editor, "reader_kind")
    assert kind.isEnabled()
    session.set_axis("A", "ranks", "2")
    assert not kind.isEnabled()
    assert "process already" in kind.toolTip()


def test_that_an_unusual_size_is_in_its_list(session, editor):
    session.set_axis("A", "chunk_bytes", "12KiB")
    sizes = box(editor, "chunk_bytes")
    assert sizes.currentText() == "12 KiB"
    assert [sizes.itemData(at) for at in range(sizes.count())] == sorted(
        sizes.itemData(at) for at in range(sizes.count())
    )


def test_that_names_of_differing_axes_stand_out_and_tell_the_other_value(session, editor):
    names = editor._names
    assert names["order"].property("arm") == "A"
    assert names["chunk_bytes"].toolTip() == "B: 2 MiB"
    session.copy_to_other("A")
    assert not names["order"].property("arm")
    assert names["order"].toolTip() == ""


class Quoting(QTranslator):
    """Another language, which can be told from English."""

    def translate(self, *asked):
        return f"«{asked[1]}»"


def test_that_fields_are_told_in_the_windows_language(qapp, session, qtbot):
    quoting = Quoting()
    qapp.installTranslator(quoting)
    try:
        card = StrategyCard(session, "A")
        qtbot.addWidget(card)
        made = card.chips.edit(card.menu_button, "all settings", AXES)
        for field in (box(made, "order"), number(made, "readers")):
            assert field.accessibleName().startswith("«")
            assert field.toolTip().startswith("«")
    finally:
        qapp.removeTranslator(quoting)
