"""Icons, themes and other files that the window is drawn with."""
