"""What the system says of this machine, and what it is asked to do; nothing here loads a model.

- Below a path: `storage` all of it, `mounts`, `block_devices` down to the disks; `origin` which
  machine and storage a result is from.
- The machine: `host`, `memory`, `cgroup` its limits, `own_limits` those of this process, `sleep`.
- Files: `page_cache` empties, fills and shows it, `cached_pages` counts, `direct_io` goes past it,
  `anonymous_memory` is where bytes go; `file_state`, `file_users` who uses one, `file_trace` what
  the kernel traces of it.
- `processes` below this one, and one that ends with it; `procfs` parses what the kernel says.
"""
