"""The dialog that asks for a file or a folder, which never looks at a disk itself."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from modelmon.gui.background.commands import Command
from modelmon.gui.widgets import file_dialog
from modelmon.gui.widgets.file_dialog import FileDialog


class Asked:
    """A dialog that is shown, and what was chosen in it."""

    def __init__(self, dialog, qtbot):
        self.dialog, self._qtbot = dialog, qtbot
        self.chosen = []
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        dialog.all_chosen.connect(self.chosen.append)
        dialog.open()

    @property
    def names(self):
        """What is listed and seen."""
        return [row.text(0) for row in self.dialog.entries.rows if not row.isHidden()]

    def type(self, text, *, then=None):
        self.dialog.path.selectAll()
        self._qtbot.keyClicks(self.dialog.path, text)
        if then is not None:
            self.press(then)

    def press(self, *keys):
        for key in keys:
            self._qtbot.keyClick(self.dialog.path, key)

    def until(self, *names):
        """Wait until just these are seen."""
        self._qtbot.waitUntil(lambda: self.names == list(names))


@pytest.fixture
def zoo(tmp_path):
    folder = tmp_path / "zoo"
    (folder / "deep").mkdir(parents=True)
    for name in ("apple.gguf", "Banana.gguf", "notes.txt", "deep/inside.safetensors"):
        (folder / name).write_bytes(b"GGUF")
    (folder / "gone.gguf").symlink_to("nowhere")
    return folder


@pytest.fixture
def ask(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    def made(path, wanted="model", kinds=("Models (*.gguf)",)):
        return Asked(FileDialog(window, "Open", str(path), wanted, kinds), qtbot)

    yield made
    for command in window.findChildren(Command):
        command.shut_down()


def test_that_what_is_typed_goes_on_as_the_list_shows(ask, zoo):
    asked = ask(zoo)
    asked.until("deep", "Banana.gguf", "apple.gguf", "gone.gguf")
    asked.type(f"{zoo}/ban")
    assert asked.names == ["deep", "Banana.gguf"][1:]
    asked.press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert asked.chosen == [[f"{zoo}/Banana.gguf"]]


def test_that_a_folder_is_looked_into_or_opened_itself(ask, zoo, qtbot):
    asked = ask(zoo, kinds=("All files (*)",))
    asked.until("deep", "Banana.gguf", "apple.gguf", "gone.gguf", "notes.txt")
    asked.press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    asked.until("inside.safetensors")
    assert asked.dialog.path.text() == f"{zoo}/deep/"
    qtbot.mouseClick(asked.dialog.up, Qt.MouseButton.LeftButton)
    asked.until("deep", "Banana.gguf", "apple.gguf", "gone.gguf", "notes.txt")
    asked.press(Qt.Key.Key_Return)
    assert asked.chosen == [[str(zoo)]]


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [("apple.gguf", "zoo/apple.gguf"), ("deep/x.gguf", "zoo/deep/x.gguf"), ("../a", "zoo/../a")],
)
def test_that_a_path_is_taken_as_typed_and_from_the_folder_that_is_shown(ask, zoo, typed, chosen):
    asked = ask(zoo)
    # Nobody waits for the list: whoever opens it says whether it is there.
    asked.type(typed, then=Qt.Key.Key_Return)
    assert asked.chosen == [[str(zoo.parent / chosen)]]


def test_that_a_folder_that_is_not_there_is_a_sentence(ask, zoo, qtbot):
    asked = ask(zoo / "gone since" / "last time")
    # What is left of it is a place to begin.
    asked.until("deep", "Banana.gguf", "apple.gguf", "gone.gguf")
    asked.type(f"{zoo}/absent/")
    qtbot.waitUntil(lambda: "absent" in asked.dialog.state.text())
    assert asked.dialog.state.text().endswith("absent: No such file or directory.")
    asked.type(f"{zoo}/")
    asked.until("deep", "Banana.gguf", "apple.gguf", "gone.gguf")
    assert asked.dialog.state.text() == "Choose a model file, or open this folder."


def test_that_only_folders_are_listed_where_one_is_wanted(ask, zoo):
    asked = ask(zoo, "folder", ())
    asked.until("deep")
    asked.press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert asked.chosen == [[f"{zoo}/deep"]]


def test_that_a_name_to_save_gets_its_kind_and_replaces_only_what_is_agreed_to(ask, zoo, qtbot):
    kinds = ("CSV (*.csv)", "Text (*.txt)")
    asked = ask(zoo / "runs.csv", "save", kinds)
    assert asked.dialog.path.selectedText() == "runs"
    asked.dialog.kinds.setCurrentText(kinds[1])
    assert asked.dialog.path.text() == f"{zoo}/runs.txt"
    asked.type(f"{zoo}/notes", then=Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked.dialog.take.text() == "Replace")
    assert asked.dialog.state.text() == "notes.txt exists. Replace writes over it."
    assert asked.chosen == []
    asked.press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(asked.chosen))
    assert asked.chosen == [[f"{zoo}/notes.txt"]]
    asked = ask(zoo / "runs.csv", "save", kinds)
    asked.type(f"{zoo}/llama-3.1", then=Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(asked.chosen))
    assert asked.chosen == [[f"{zoo}/llama-3.1.csv"]]


def test_that_nothing_is_saved_where_storage_does_not_answer_and_leaving_takes_no_time(
    ask, zoo, qtbot, monkeypatch, script
):
    hangs = script("import time; time.sleep(1000)")
    monkeypatch.setattr(file_dialog, "look_process", lambda _: Command([], hangs))
    monkeypatch.setattr(file_dialog, "SILENT_S", 0)
    asked = ask(zoo / "runs.csv", "save", ("CSV (*.csv)",))
    asked.press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked.dialog.state.text().startswith("The storage hasn't answered"))
    asked.press(Qt.Key.Key_Escape)
    assert not asked.dialog.isVisible()
    assert asked.chosen == []
