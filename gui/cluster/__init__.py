"""One model on many nodes at once: what is asked for, how far it is, what came of it."""
