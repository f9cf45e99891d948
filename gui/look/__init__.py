"""Colours, fonts, icons and style sheet, light and dark."""
