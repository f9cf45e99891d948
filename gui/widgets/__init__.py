"""What every part of the window draws with: theme, dialogs, lists, tables."""
