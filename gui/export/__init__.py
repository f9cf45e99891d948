"""What can be written of a comparison or a race, and how it is written."""
