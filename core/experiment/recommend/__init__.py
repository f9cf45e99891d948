"""What a race recommends, and advice outside of the load."""
