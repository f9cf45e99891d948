"""Tests with programs of others: collected by `make test-engines` alone."""
