"""What a model lies on: storage, memory and the page cache."""
