"""The colours, fonts, style sheet and icons of the window, light and dark.

A Theme is a plain record of colours, read from resources/themes. The ThemeManager decides
which of the two is in use, dresses the application in it and says when it changes; painted
parts read `manager().theme` and repaint on `manager().changed`, so a switch of the desktop's
scheme reaches everything. Icons are drawings in one colour, tinted to the theme in use.
"""

from __future__ import annotations

import tomllib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QByteArray, QDir, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QAbstractButton

Mode = Literal["system", "light", "dark"]
ArmLabel = Literal["A", "B"]

_UI_FAMILIES = ("Inter", "Noto Sans", "Noto Sans CJK SC", "DejaVu Sans")
_MONO_FAMILIES = ("DejaVu Sans Mono", "Noto Sans Mono", "Menlo", "Consolas", "monospace")
_BODY_PX = 13
_TEXT_SIZES_PX = (11, 12, 13, 16, 20, 24)
_ICON_PX, _APP_ICONS_PX = 16, (16, 24, 32, 48, 64, 128, 256)
_RATIOS = (1, 2, 3)
_RESOURCES = resources.files("modelmon.resources")
_THEMES = _RESOURCES / "themes"

_icons: dict[tuple[str, str, str], QIcon] = {}


@dataclass(frozen=True, eq=False)
class Theme:
    """Every colour of the window by the part it plays; `a` and `b` mean the two arms."""

    name: Literal["light", "dark"]
    window: QColor
    panel: QColor
    raised: QColor
    hover: QColor
    border: QColor
    control: QColor
    text: QColor
    text_2: QColor
    ink: QColor
    ink_text: QColor
    a: QColor
    a_soft: QColor
    b: QColor
    b_soft: QColor
    focus: QColor
    focus_soft: QColor
    good: QColor
    good_soft: QColor
    warn: QColor
    warn_soft: QColor
    bad: QColor
    bad_soft: QColor
    neutral_1: QColor
    neutral_2: QColor
    neutral_3: QColor
    grid: QColor
    overlay_1: QColor
    overlay_2: QColor
    overlay_3: QColor
    overlay_4: QColor
    phase_1: QColor
    phase_2: QColor
    phase_3: QColor
    on_fill: QColor

    def arm(self, label: ArmLabel) -> QColor:
        """The colour of lines, bars and text about one arm."""
        return self.a if label == "A" else self.b

    @property
    def overlays(self) -> tuple[QColor, ...]:
        """The colours of further runs, as far apart for everybody as they can be."""
        return (self.overlay_1, self.overlay_2, self.overlay_3, self.overlay_4)

    def arm_soft(self, label: ArmLabel) -> QColor:
        """The ground of what belongs to one arm."""
        return self.a_soft if label == "A" else self.b_soft


def _read(name: Literal["light", "dark"]) -> Theme:
    colours = tomllib.loads((_THEMES / f"{name}.toml").read_text("utf-8"))
    return Theme(name, **{role: QColor(colour) for role, colour in colours.items()})


LIGHT = _read("light")
DARK = _read("dark")


class ThemeManager(QObject):
    """Keeps the application in one Theme; `changed` follows every switch."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._mode: Mode = "system"
        self._dressed = self._theme = LIGHT
        self._alone = ""
        self.scale = max(1.0, QFontInfo(QApplication.font()).pixelSize() / _BODY_PX)
        """The user's font size ÷ ours, never below 1: 11 px is the smallest legible text."""
        self._applied = False
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme(self) -> Theme:
        """The Theme in use."""
        return self._theme

    def show_alone(self, name: str) -> None:
        """Let what stands in A's place be called `name`, in the color of text, for it is neither A
        nor B; empty lets it be A again.
        """
        if name != self._alone:
            self._alone = name
            self._theme = self._of_arms(self._dressed)
            self.changed.emit()

    @property
    def alone(self) -> str:
        """The name of what stands in A's place; empty where A and B are shown."""
        return self._alone

    def arm_text(self, label: ArmLabel) -> str:
        """What stands in an arm's place is called so."""
        return self._alone or label

    @property
    def mode(self) -> Mode:
        """What was asked for: the desktop's scheme, or one of the two."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Use the light or the dark theme, or whichever the desktop asks for."""
        self._mode = mode
        schemes = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }
        # Window frames and native dialogs are the platform's: it has to know as well.
        QGuiApplication.styleHints().setColorScheme(schemes[mode])
        self._use(self._wanted())

    def apply(self, app: QApplication) -> None:
        """Dress `app`: Fusion, palette, font and style sheet."""
        QDir.setSearchPaths("theme", [str(_THEMES)])
        app.setStyle("Fusion")
        app.setFont(font(_BODY_PX))
        self._applied = True
        self._dressed = self._wanted()
        self._theme = self._of_arms(self._dressed)
        self._dress(app)

    @contextmanager
    def building(self, app: QApplication) -> Iterator[None]:
        """Give the widgets that are made inside their style sheet at the end, all at once.

        Else Qt styles a part with everything in it each time that it is put into a larger one.
        """
        if not self._applied:
            yield
            return
        app.setStyleSheet("")
        try:
            yield
        finally:
            app.setStyleSheet(style_sheet(self._dressed, self.scale))

    def _wanted(self) -> Theme:
        if self._mode == "system":
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = self._mode == "dark"
        return DARK if dark else LIGHT

    def _follow_system(self) -> None:
        self._use(self._wanted())

    def _use(self, theme: Theme) -> None:
        if theme is self._dressed:
            return
        self._dressed, self._theme = theme, self._of_arms(theme)
        app = QApplication.instance()
        if self._applied and isinstance(app, QApplication):
            self._dress(app)
        self.changed.emit()

    def _dress(self, app: QApplication) -> None:
        app.setPalette(palette(self._dressed))
        app.setStyleSheet(style_sheet(self._dressed, self.scale))

    def _of_arms(self, theme: Theme) -> Theme:
        return replace(theme, a=theme.text, a_soft=theme.raised) if self._alone else theme


_manager: ThemeManager | None = None


def manager() -> ThemeManager:
    """The one ThemeManager of the running QApplication, made on first use."""
    global _manager  # noqa: PLW0603 (asked for a hundred times a frame)
    if _manager is not None and isValid(_manager):
        return _manager
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("A theme needs a QApplication.")  # noqa: TRY004 (a state, not a type)
    _manager = ThemeManager(app)
    return _manager


def font(px: float, weight: int = 400) -> QFont:
    """The window's font: `px` at scale 1, grown with the user's font size; tabular figures.

    Frames ask for the same ones again and again: they are made once, and not to be changed.
    """
    return _font(_UI_FAMILIES, round(px * manager().scale), weight)


def mono_font() -> QFont:
    """The font of previews and logs."""
    made = QFont(_font(_MONO_FAMILIES, round(11.5 * manager().scale), 400))
    made.setStyleHint(QFont.StyleHint.Monospace)
    return made


@cache
def _font(families: tuple[str, ...], px: int, weight: int) -> QFont:
    made = QFont(list(families))
    made.setPixelSize(px)
    made.setWeight(QFont.Weight(weight))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def style_sheet(theme: Theme, scale: float = 1.0) -> str:
    """window.qss with this theme's colours (`$text`) and sizes (`$px11`) filled in."""
    text = (_THEMES / "window.qss").read_text("utf-8")
    values = {
        role: value.name() for role, value in vars(theme).items() if isinstance(value, QColor)
    }
    values |= {f"px{px}": f"{round(px * scale)}px" for px in _TEXT_SIZES_PX}
    values["theme"] = theme.name
    return Template(text).substitute(values)


def palette(theme: Theme) -> QPalette:
    """`theme` as Qt's own widgets read it."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.PlaceholderText: theme.text_2,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.bad,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.focus,
        role.HighlightedText: theme.on_fill,
        role.Accent: theme.focus,
        role.Link: theme.focus,
        role.LinkVisited: theme.focus,
        role.Light: theme.panel,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.control,
        role.Shadow: theme.border,
    }
    made = QPalette()
    for which, colour in colours.items():
        made.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText):
        made.setColor(QPalette.ColorGroup.Disabled, which, theme.neutral_2)
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, theme.neutral_3)
    return made


def icon(name: str, color: QColor | None = None) -> QIcon:
    """The icon called `name` in the theme's text colour, or in `color`.

    Icons do not change their colours by themselves: ask again when the theme changes, or
    use `set_icon`.
    Raises FileNotFoundError where there is no such icon.
    """
    theme = manager().theme
    normal = (color or theme.text).name()
    key = (name, normal, theme.neutral_2.name())
    if key not in _icons:
        made = QIcon()
        for ratio in _RATIOS:
            made.addPixmap(_tinted(name, normal, ratio), QIcon.Mode.Normal)
            made.addPixmap(_tinted(name, theme.neutral_2.name(), ratio), QIcon.Mode.Disabled)
        _icons[key] = made
    return _icons[key]


def set_icon(target: QAbstractButton | QAction, name: str, role: str = "text") -> None:
    """Give `target` the icon `name` in the theme's colour `role`, and again at each switch; an
    empty name takes its icon away.
    """
    for old in target.findChildren(_Retint, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    if name:
        _Retint(target, name, role)
    else:
        target.setIcon(QIcon())


class _Retint(QObject):
    """Lives as long as the button or action whose icon it renews."""

    def __init__(self, target: QAbstractButton | QAction, name: str, role: str) -> None:
        super().__init__(target)
        self._target = target
        self._name = name
        self._role = role
        manager().changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        colour: QColor = getattr(manager().theme, self._role)
        self._target.setIcon(icon(self._name, colour))


def app_icon() -> QIcon:
    """The program's icon, in its own colours."""
    made = QIcon()
    for size_px in _APP_ICONS_PX:
        made.addPixmap(_drawn(_source("app"), size_px))
    return made


def _tinted(name: str, colour: str, ratio: int) -> QPixmap:
    drawn = _drawn(_source(name).replace("currentColor", colour), _ICON_PX * ratio)
    drawn.setDevicePixelRatio(ratio)
    return drawn


def _drawn(svg: str, size_px: int) -> QPixmap:
    pixmap = QPixmap(size_px, size_px)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return pixmap


@cache
def _source(name: str) -> str:
    return (_RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")
