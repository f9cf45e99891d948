"""Simulated storage: a file behind FUSE that costs what an object store, hard disk or line costs.

`store.py` serves a file by a process of its own (`server.py`), which pays a `Cost` for each
read and counts them. Everything measured there is labeled by the mount's type.
"""
