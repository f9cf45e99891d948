"""The main window: what it is made of besides panels, plots and the work it drives."""
