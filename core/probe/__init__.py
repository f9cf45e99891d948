"""What storage and memory can do, measured by reading the model's files in a process of its own.

`client` starts it, `process` is it, `probe` holds what it found and what follows, `store` keeps it.
"""
