"""The window itself: its commands, session, settings and what they are put together from."""
