"""What every part of the window shares: what is open, under way and shown; commands; settings."""
