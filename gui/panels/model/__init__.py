"""What a model holds: tree, contents, shares and sizes."""
