"""Another program, started and watched while it loads."""
