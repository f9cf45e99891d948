"""The card of an arm, and the fields that change it."""
