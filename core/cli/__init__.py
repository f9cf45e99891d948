"""The terminal: one file per subcommand."""
