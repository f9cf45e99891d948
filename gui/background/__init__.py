"""Work beside the window's thread: processes, and what threads have found out."""
