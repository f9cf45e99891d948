"""The table of runs, their replay, and what is done with them."""
