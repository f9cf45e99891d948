"""The watched program: asked for, its card, its verdict and its timeline."""
