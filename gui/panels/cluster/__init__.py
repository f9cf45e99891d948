"""The question for a cluster, and the tab that shows what came of it."""
