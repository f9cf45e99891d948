"""What is known before anything is loaded: the machine, the path, memory, the file.

`diagnosis` and `inspection` hold it, `doctor` looks, `findings` judges, `sections` words it.
"""
