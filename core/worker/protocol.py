"""The number that both sides of a worker have to have in common; importing it costs nothing."""

PROTOCOL = 1
