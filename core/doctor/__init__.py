"""What is known before anything is loaded: the machine, the path, memory, the file."""
