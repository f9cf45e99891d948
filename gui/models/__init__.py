"""Qt item models, apart from the views that show them."""
