"""The Runs tab and its dialogs."""
