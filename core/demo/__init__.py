"""Stories: published cases of slow loads, run again on simulated storage in two minutes.

A story is a function that plays on a `Stage` (stage.py): it makes its model and its storage, runs
the experiment as Compare does, explains it meanwhile, and ends with what to set. `stories.py` names
them all.
"""
