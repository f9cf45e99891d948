"""The first minute: what is found, opened, and known before anything is measured."""
