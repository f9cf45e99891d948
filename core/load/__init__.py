"""How a model is loaded, from settings to bytes in memory.

- Settings: `config`, `rules` (which go together), `presets` and `strategies` (their names),
  `config_file` (modelmon.toml).
- What is read: `subset` (tensors, blocks, a rank's slices), `planner` → `plan`, made of `extents`,
  `slices`, `spans`, a `portion`, and `decode_units` where values are decoded.
- Reading: `engine` builds one process's `readers`, their `sources` (`auto` chooses by what is
  cached) and `buffers`; `warmup` fills the page cache; `progress` and `accounts` hold the times.
- Decoding: `decoding` reads and decodes at once; `decode` turns stored values into floats, by the
  `kernels` where numba is installed.
- Who loads: `loader`, a process that is told its `loader_work`; `api` (`load_model`) by
  `in_process` and `decoded`, which return a `loaded` model of `arrays`; `libraries`, to compare
  with; `warming`, for a program that reads later.
"""
