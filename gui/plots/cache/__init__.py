"""The page cache strip."""
