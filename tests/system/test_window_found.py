"""The first minute in a window: a model is found, a click opens it, and Compare is ready."""

import pytest
from PySide6.QtCore import Qt
from tests.system.windows import shown_window

from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.gui.models.found_table import NAME
from modelmon.gui.opening.first_minute import FirstMinute

pytestmark = [pytest.mark.system, pytest.mark.long]


@pytest.fixture
def hub_model(tmp_path, monkeypatch):
    """A model in a hub cache that is the only one on this machine."""
    commit = "c" * 40
    repository = tmp_path / "hf" / "hub" / "models--org--tiny"
    path = repository / "snapshots" / commit / "model.safetensors"
    path.parent.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    write_sample(path, "safetensors", 4 * MIB, 4, 0)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_HUB_CACHE", "OLLAMA_MODELS", "LLAMA_CACHE", "COMFYUI_PATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return path


def test_that_a_found_model_opens_by_a_click_with_both_arms_set(hub_model, tmp_path, qtbot):
    with shown_window(qtbot, tmp_path / "window.ini") as window:
        FirstMinute(window).begin()
        found = window.workspace.empty.found
        table = found.view.model()
        qtbot.waitUntil(lambda: table.rowCount() > 0 and found.again.isEnabled())
        place = found.view.visualRect(table.index(0, NAME)).center()

        qtbot.mouseClick(found.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.waitUntil(lambda: window.session.inspection is not None)

        assert table.index(0, NAME).data() == "tiny"
        assert [recent.path for recent in window.settings.recents()] == [str(hub_model)]
        page = window.workspace.slot.notice_page
        assert page.headline.whole.startswith("Compare mmap (A) with ")
        assert page.caveat.whole.startswith("Fits in memory: ")
        assert window.toolbar.buttons["compare"].isEnabled()
