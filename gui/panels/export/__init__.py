"""The parts of the export dialog: what can be written, its text, and what that rests on."""
