"""Many nodes in one picture: the scaling curve, and each node over time."""
