"""The list of strategies: presets, own presets, libraries."""

from dataclasses import replace

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from window_fakes import make_inspection, make_model

from modelmon.core.load.config import PRESETS
from modelmon.core.load.libraries import registry
from modelmon.gui.compare.strategy_box import BESIDE_ROLE, offered
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.session.settings import Settings

GGUF = "gguf.GGUFReader"


@pytest.fixture
def gguf():
    """A model that the gguf package, which modelmon needs anyhow, can read."""
    return structs.replace(make_model(), format="gguf")


@pytest.fixture
def card(qtbot, session, gguf):
    session.set_inspection(make_inspection(gguf))
    made = StrategyCard(session, "A")
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    return made


def entries(card):
    """Text, whether it can be taken, and tool tip of each entry; a line has no text."""
    items = card.preset.model()
    found = []
    for row in range(items.rowCount()):
        index = items.index(row, 0)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
        found.append((str(index.data() or ""), enabled, tip))
    return found


def test_that_the_list_says_beside_each_name_when_it_wins_or_why_it_cannot_be_used(card):
    items = card.preset.model()
    beside = {
        items.index(row, 0).data(): items.index(row, 0).data(BESIDE_ROLE)
        for row in range(items.rowCount())
    }
    assert beside["mmap"] == PRESETS["mmap"].when_it_wins
    assert "loads safetensors files, not gguf" in beside["safetensors.get_tensor"]


def test_that_libraries_follow_the_presets_after_a_line(card):
    texts = [text for text, _, _ in entries(card)]
    assert texts == [*PRESETS, "", *registry.names(), "", "A program…", "", "custom"]
    own_lines = [enabled for text, enabled, _ in entries(card) if not text]
    assert own_lines == [False, False, False]


def test_that_what_cannot_load_this_model_is_listed_with_the_reason(card):
    listed = {text: (enabled, tip) for text, enabled, tip in entries(card)}
    assert listed["safetensors.get_tensor"][0] is False
    assert "not gguf" in listed["safetensors.get_tensor"][1]
    assert listed[GGUF][0] is True
    assert "Version" in listed[GGUF][1]


def test_that_a_library_that_is_not_installed_says_what_to_install(gguf):
    absent = [offer for offer in offered(None, {})[2] if "not installed" in offer.obstacle]
    for offer in absent:
        assert "pip install" in offer.obstacle
    assert {offer.name for offer in offered(gguf, {})[2]} == set(registry.names())


def test_that_a_librarys_card_shows_version_and_delivery(card, session):
    session.set_preset("A", GGUF)
    offer = next(offer for offer in offered(session.inspection.model, {})[2] if offer.name == GGUF)  # type: ignore[union-attr]
    assert offer.version
    assert card.sentence.whole == offer.sentence
    texts = {name: button.text() for name, button in card.chips.shown.items()}
    assert offer.version.split()[0] in texts["library"]
    assert "readers" not in texts
    for deliver, shown in (("untouched", "untouched"), ("owned", "owned")):
        session.set_axis("A", "deliver", deliver)
        told = [button.accessibleName() for button in card.chips.shown.values()]
        told += card.chips.more.toolTip().splitlines()
        assert any(text.startswith(f"Delivery: {shown}") for text in told)


def test_that_an_own_preset_is_listed_and_has_a_name_of_its_own(card, session, qtbot):
    session.set_axis("A", "readers", "3")
    assert session.strategy_name("A") == "custom"
    dialog = card.ask_for_name()
    assert not dialog.save.isEnabled()
    dialog.name.setText("mmap")
    assert not dialog.save.isEnabled()
    assert "built-in strategy" in dialog.hint.text()
    qtbot.keyClicks(dialog.name, " of three")
    dialog.save.click()
    assert card.sentence.whole == "Your preset."
    texts = [text for text, _, _ in entries(card)]
    assert texts[len(PRESETS) : len(PRESETS) + 3] == ["", "mmap of three", ""]


def test_that_an_own_preset_keeps_what_both_arms_deliver(session):
    session.set_axis("A", "readers", "3")
    session.own_presets.save("three", session.config("A"))
    session.set_axis("A", "deliver", "owned")
    assert session.strategy_name("A") == "three"
    session.set_preset("B", "three")
    assert session.config("A").deliver == session.config("B").deliver == "owned"


def test_that_an_own_preset_can_be_deleted(card, session):
    session.set_axis("A", "readers", "3")
    session.own_presets.save("three", session.config("A"))
    menu = card.card_menu()
    save = next(action for action in menu.actions() if action.text().startswith("Save as"))
    assert not save.isEnabled()
    (submenu,) = [menu for menu in menu.findChildren(type(menu)) if menu.title().startswith("Del")]
    (delete,) = submenu.actions()
    delete.trigger()
    assert card.preset.currentText() == "custom"
    assert "three" not in [text for text, _, _ in entries(card)]


def test_that_own_presets_survive_a_restart(tmp_path, session):
    settings = Settings(tmp_path / "window.ini")
    mine = {"three": replace(session.config("A"), readers=3), "裸": session.config("B")}
    settings.change_presets({}, mine)
    settings.save()
    assert Settings(tmp_path / "window.ini").own_presets == mine


@pytest.mark.parametrize("stored", ["{", "[]", '{"x": 1}', '{"x": {"readers": 1000}}'])
def test_that_damaged_own_presets_are_left_out(tmp_path, stored):
    settings = Settings(tmp_path / "window.ini")
    settings._store.setValue("presets", stored)
    assert settings.own_presets == {}
