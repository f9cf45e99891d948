"""Programs that load models: one module a program knows how it is found and started, its load
settings by version, and what to set after a result; `system.py` does so for the system below.

Nothing here watches a load (core/watch). A new program is a module and a line in `registry.py`;
phases of its output are lines in `worker/program_phases.py`.
"""
