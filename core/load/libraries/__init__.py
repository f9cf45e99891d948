"""Other libraries' ways to load, to measure against: `baseline` what one is, `registry` all."""
