"""Where other programs keep the models that they have downloaded."""
