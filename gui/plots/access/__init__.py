"""The access map: where each request read, and when."""
