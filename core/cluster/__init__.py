"""One model loaded by many nodes at once: until when all are ready, and what holds them back."""
