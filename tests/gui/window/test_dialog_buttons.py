"""The buttons below all dialogs stand in one order: what closes a dialog, then what it is for."""

from dialogs import DIALOGS, asked
from legibility import settled
from PySide6.QtWidgets import QDialogButtonBox, QPushButton

ROW_PX = 12


def lowest(dialog):
    """The buttons of the last row, from the left."""
    places = {
        each: each.mapTo(dialog, each.rect().center())
        for each in dialog.findChildren(QPushButton)
        if each.isVisible()
    }
    last = max((place.y() for place in places.values()), default=0)
    row = [each for each, place in places.items() if last - place.y() < ROW_PX]
    return sorted(row, key=lambda each: places[each].x())


def test_that_all_dialogs_have_their_buttons_in_one_order(window):
    for ask in DIALOGS:
        dialog = asked(window, ask)
        settled(dialog)
        # Its order is the desktop's.
        assert dialog.findChildren(QDialogButtonBox) == [], ask.__name__
        row = lowest(dialog)
        if row and row[-1].text().strip() not in ("Close", "Cancel"):
            assert row[-1].property("role") == "primary", ask.__name__
        texts = [each.text().strip() for each in row]
        leave = [each for each in row if each.text().strip() in ("Close", "Cancel")]
        assert len(leave) == bool(row), (ask.__name__, texts)
        for each in leave:
            assert each.icon().isNull(), ask.__name__
            after = row[row.index(each) + 1 :]
            assert all(other.property("role") != "primary" for other in row[: row.index(each)])
            assert len(after) <= 2, texts
        dialog.reject()
