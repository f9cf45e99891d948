"""Parts of the window that are not plots."""
