import os

import pytest

MIB = 1024**2


@pytest.mark.system
@pytest.mark.parametrize("maps", [True, False])
@pytest.mark.parametrize("state", ["cold", "warm", "half", "striped"])
def test_that_a_limit_has_every_byte_in_memory(load, on_a_device, state, *, maps):
    limits, states = load("limits"), load("states")
    # Neither ends with a page; the first is more than a request.
    contents = [os.urandom(5 * MIB + 100), os.urandom(35 * MIB + 5000)]
    paths = [on_a_device.parent / f"limit-{number}.bin" for number in range(2)]
    try:
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        cached = states.resident_ranges(state, [len(content) for content in contents])
        buffers = limits.bare_load([str(path) for path in paths], cached, 3, maps=maps)()
        for buffer, content in zip(buffers, contents, strict=True):
            assert bytes(buffer.view[: len(content)]) == content
    finally:
        for path in paths:
            path.unlink(missing_ok=True)
