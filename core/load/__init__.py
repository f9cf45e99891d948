"""How a model is loaded, from settings to bytes in memory.

- Settings: `config` (LoadConfig and presets), `rules` (which axes go together, what fits into
  memory), `strategies` (names of all of them), `config_file` (modelmon.toml).
- What is read: `subset` (tensors, blocks, a rank's slices), `planner` → `plan`, made of `extents`.
- Reading: `engine` builds one process's `readers`, and their `sources` over open `files`; they may
  take `turns`; `warmup` fills the page cache before; `threads` and `progress` hold the times.
- Decoding: `decode` turns stored values into floats, by the `kernels` where numba is installed.
- Who loads: `loader`, a process of its own; `api` (`load_model`), which returns a `loaded` model;
  `libraries`, to compare with; `warming`, for a program that reads later.
"""
