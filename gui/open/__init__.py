"""Opening a model: the start page, files, servers, the first minute."""
