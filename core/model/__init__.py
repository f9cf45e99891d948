"""What is in a model file: shards, tensors and blocks, read from headers only."""
