"""Every run and experiment on this machine, in SQLite."""
