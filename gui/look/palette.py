"""A Theme's colours as Qt's own widgets read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

if TYPE_CHECKING:
    from modelmon.gui.look.theme import Theme


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
