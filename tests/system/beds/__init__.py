"""Storage of known cost: what a measurement says of it can be checked."""
