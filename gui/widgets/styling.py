"""Roles, states, icons and texts of widgets: what the style sheet selects by, kept true."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from modelmon.core.terminal_safe import without_controls
from modelmon.gui.widgets.theme import icon, manager, set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

W = TypeVar("W", bound=QWidget)

_ICON_PX = 16


def line_starts(text: str, font: QFont, width_px: int) -> list[int]:
    """Where in `text` each line begins; breaks are between words, or in one that is too long."""
    layout = QTextLayout(text, font)
    layout.setTextOption(_option())
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width_px, 1))
        starts.append(line.textStart())
    layout.endLayout()
    return starts


def in_lines(text: str, font: QFont, width_px: int, most: int) -> str:
    """`text` in at most so many lines, shortened where it needs more."""
    metrics = QFontMetrics(font)
    if most == 1:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width_px)
    starts = line_starts(text, font, width_px)
    ends = [*starts[1:most], len(text)]
    lines = [text[start:end].rstrip() for start, end in zip(starts, ends, strict=False)]
    if len(starts) > most:
        lines[-1] = metrics.elidedText(lines[-1], Qt.TextElideMode.ElideRight, width_px)
    return "\n".join(lines)


def _option() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def plain(text: str) -> str:
    """The text as a tool tip; the style sheet has Qt take none for HTML."""
    return without_controls(text)


def styled(widget: W, role: str, **properties: str | bool) -> W:
    """`widget` with a role of the style sheet and further properties it selects by."""
    widget.setProperty("role", role)
    for name, value in properties.items():
        widget.setProperty(name, value)
    return widget


def restyle(widget: QWidget, **properties: str | bool | None) -> None:
    """Change properties that the style sheet selects by, and let it look again."""
    changed = False
    for name, value in properties.items():
        if widget.property(name) != value:
            widget.setProperty(name, value)
            changed = True
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def label(text: str, role: str, *, wrap: bool = False) -> QLabel:
    """A text in one of the style sheet's roles; plain text, whatever it holds."""
    made = styled(QLabel(text), role)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    return made


def with_key(text: str, letter: str) -> str:
    """A menu's name that Alt and the letter open: `&File`, and `文件(&F)` where it isn't in it."""
    return f"&{text}" if text.startswith(letter) else f"{text}(&{letter})"


def keyless(text: str) -> str:
    """A name for buttons and menus, which take `&` for the mark of a key."""
    return text.replace("&", "&&")


def rule(*, vertical: bool = False) -> QWidget:
    """A thin line between parts."""
    line = styled(QWidget(), "rule")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    if vertical:
        line.setFixedSize(1, 24)
    else:
        line.setFixedHeight(1)
    return line


class ElidedLabel(QLabel):
    """Text that ends in an ellipsis where there is no room; the whole is the tool tip.

    Where the text has no room in one line, the role `smaller` is tried first, then further
    `lines`.
    """

    def __init__(
        self,
        role: str,
        text: str = "",
        *,
        smaller: str = "",
        lines: int = 1,
    ) -> None:
        super().__init__()
        styled(self, role)
        self._roles = (role, smaller) if smaller else (role,)
        self._lines = lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""
        self._more = ""
        self.set_whole(text)

    @property
    def whole(self) -> str:
        """The text without an ellipsis."""
        return self._whole

    @property
    def is_whole(self) -> bool:
        """Whether all of the text is to be seen, in however many lines."""
        return "".join(self.text().split()) == "".join(self._whole.split())

    def set_whole(self, text: str) -> None:
        """Show `text`, shortened where it must be."""
        if text != self._whole:
            self._whole = text
            self.setAccessibleName(text)
            self.elide()

    @property
    def line_count(self) -> int:
        """In how many lines it stands now; none where it is empty."""
        return len(self.text().splitlines())

    def set_lines(self, most: int) -> None:
        """Let the text have so many lines."""
        if most != self._lines:
            self._lines = most
            self.elide()

    def set_more(self, tool_tip: str) -> None:
        """Always show this as the tool tip, below the text where that is shortened."""
        self._more = tool_tip
        self.elide()

    def resizeEvent(self, event: object) -> None:
        """Shorten anew for the new width."""
        del event
        self.elide()

    def elide(self) -> None:
        """Shorten for the present width, which also comes before the event that tells of it."""
        self.ensurePolished()
        for role in self._roles:
            if len(self._roles) > 1:
                restyle(self, role=role)
            if self.fontMetrics().horizontalAdvance(self._whole) <= self.width():
                break
        shown = in_lines(self._whole, self.font(), self.width(), self._lines)
        self.setText(shown)
        lines = ("" if self.is_whole else self._whole, self._more)
        self.setToolTip(plain("\n".join(line for line in lines if line)))


def push_button(text: str, icon_name: str, role: str = "", colour: str = "text") -> QPushButton:
    """A button with an icon before its text."""
    button = QPushButton(f" {text}")
    button.setAccessibleName(text.strip().rstrip("…"))
    if role:
        styled(button, role)
    set_icon(button, icon_name, colour)
    return button


def icon_button(name: str, tool_tip: str) -> QToolButton:
    """A button that shows an icon alone; the tool tip is its accessible name too."""
    button = styled(QToolButton(), "icon")
    button.setToolTip(tool_tip)
    button.setAccessibleName(tool_tip)
    set_icon(button, name)
    return button


class IconLabel(QLabel):
    """An icon beside a text; says nothing by itself, so screen readers skip it."""

    def __init__(self, name: str, role: str = "text", size_px: int = 16) -> None:
        super().__init__()
        self._name, self._role, self._size_px = name, role, size_px
        self.setFixedSize(size_px, size_px)
        manager().changed.connect(self._retint)
        self._retint()

    def show_icon(self, name: str, role: str) -> None:
        """Show another icon, in another colour of the theme."""
        if (name, role) != (self._name, self._role):
            self._name, self._role = name, role
            self._retint()

    def _retint(self) -> None:
        drawn = icon(self._name, getattr(manager().theme, self._role))
        # Icons are drawn for 16 px; a larger one is a sharper one of the same size, shown larger.
        ratio = self.devicePixelRatio()
        pixmap = drawn.pixmap(QSize(_ICON_PX, _ICON_PX), ratio * self._size_px / _ICON_PX)
        pixmap.setDevicePixelRatio(ratio)
        self.setPixmap(pixmap)
