"""What storage and memory can do, measured by reading the model's files."""
