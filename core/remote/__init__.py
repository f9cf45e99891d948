"""Models that lie on a server: how it is reached over SSH, and both ends of what runs there."""
