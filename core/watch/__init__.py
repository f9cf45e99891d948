"""Somebody else's program, watched while it loads a model: started or joined, seen, ended.

`command` says when it is ready, `program` starts and follows it, `output` keeps what it prints
(phases are made of that in `worker/program_phases.py`), `traced_reads`, `model_bytes` and `stacks`
see its reads and functions, `reaper` ends what it started.
"""
