"""Run by a Python that has torch: what modelmon.core.torch gives, held against safetensors.

Each line of its input names a file and parts of tensors, as JSON; each line of its output lists the
differences.
"""

import json
import pickle
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.torch
import torch

from modelmon.core import torch as ours
from modelmon.core.torch.safetensors import opened
from modelmon.core.torch.tensors import load_onto, passing_work

Outcome = tuple[str, Any]

MOST_NAMES = 30

SLICES = (
    ...,
    (),
    None,
    0,
    -1,
    7,
    slice(None),
    slice(1, None),
    slice(None, -1),
    slice(0, 100, 2),
    slice(3, 1),
    slice(None, None, -1),
    (slice(None), 0),
    (slice(None), slice(1, 3)),
    (..., 0),
    (..., slice(None, None, 2)),
    (0, 0),
    (0, 0, 0, 0, 0),
    [0],
    (slice(None), [0, -1]),
    1.5,
    "a",
)


def outcome(call, *arguments, **named):
    """What a call comes to, so that two can be compared: a value, or the kind of exception."""
    try:
        return "value", seen(call(*arguments, **named))
    except ours.SafetensorError:
        return "raised", "SafetensorError"
    except OSError:
        return "raised", "OSError"
    except Exception as error:
        return "raised", type(error).__name__


def seen(value):
    """A tensor or array as what can be told of it from outside; anything else as it is."""
    if isinstance(value, dict):
        return {name: seen(each) for name, each in value.items()}
    if isinstance(value, torch.Tensor):
        flat = value.contiguous().reshape(-1)
        return (
            str(value.dtype),
            tuple(value.shape),
            value.stride(),
            str(value.device),
            value.requires_grad,
            sha256(flat.view(torch.uint8).numpy()).hexdigest() if flat.numel() else "",
        )
    if hasattr(value, "dtype"):
        return str(value.dtype), value.shape, value.tobytes(), value.flags.writeable
    return value


def writes(path, load):
    """Whether each tensor can be written to, has its bytes to itself, and leaves the file alone."""

    def write():
        before = Path(path).read_bytes()
        tensors = load(path)
        storages = {name: each.untyped_storage().nbytes() for name, each in tensors.items()}
        for each in tensors.values():
            each.zero_()
        return storages, Path(path).read_bytes() == before

    return outcome(write)


def differences(path, written):
    """In what modelmon and safetensors differ over one file, in words; parts of each tensor are
    those of SLICES and the ones that are `written`.
    """
    theirs, types = safetensors.safe_open, types_in(path)
    indices = (*SLICES, *(eval(f"np.s_[{text}]", {"np": np}) for text in written))
    pairs = {
        "load_file": (
            outcome(ours.load_file, path),
            outcome(safetensors.torch.load_file, path),
        ),
        "load_file, mapped": (
            outcome(ours.load_file, path, "cpu", backend="mmap"),
            outcome(safetensors.torch.load_file, path, "cpu", backend="mmap"),
        ),
        "load_file, read": (
            outcome(ours.load_file, Path(path), backend="pread"),
            outcome(safetensors.torch.load_file, Path(path), backend="pread"),
        ),
        "by way of a device": (
            outcome(onto_device, path),
            outcome(safetensors.torch.load_file, path),
        ),
        "writing": (writes(path, ours.load_file), writes(path, safetensors.torch.load_file)),
        "writing to what was read": (
            writes(path, partial(ours.load_file, backend="pread")),
            writes(path, partial(safetensors.torch.load_file, backend="pread")),
        ),
        "writing by way of a device": (
            writes(path, onto_device),
            writes(path, safetensors.torch.load_file),
        ),
    }
    for said in ("keys", "metadata", "get_tensors"):
        pairs[said] = outcome(told, ours.safe_open, path, said), outcome(told, theirs, path, said)
    pairs["opened twice"] = outcome(again, ours.safe_open, path), outcome(again, theirs, path)
    for name in (*list(types)[:MOST_NAMES], "no such tensor"):
        for framework in ("pt", "np"):
            pairs[f"{name!r} for {framework}"] = (
                outcome(tensor, ours.safe_open, path, framework, name),
                outcome(tensor, theirs, path, framework, name),
            )
        pairs[f"{name!r} in parts"] = (
            outcome(parts, ours.safe_open, path, name, indices),
            outcome(parts, theirs, path, name, indices),
        )
        pairs[f"{name!r} in parts for np"] = parts_for_numpy(path, name, indices)
    return [
        f"{what}: {mine} and not {other}"
        for what, (mine, other) in pairs.items()
        if mine != other and not safetensors_lacks(what, other, set(types.values()))
    ]


def safetensors_lacks(what, other, types):
    """Whether it has less there: for numpy types of 8 and of 16 bits, which come as those of
    ml_dtypes here, and of F4 all but whole tensors that are mapped.
    """
    if what.endswith(" for np"):
        return other in [("raised", "TypeError"), ("raised", "AttributeError")]
    return types == {"F4"} and (other == ("raised", "RuntimeError") or what.endswith(" in parts"))


def types_in(path):
    """Each tensor's type, by name; nothing of what cannot be opened."""
    try:
        return {info.name: info.dtype for info in opened(path).tensors}
    except (OSError, ours.SafetensorError):
        return {}


def onto_device(path):
    """What is done for a GPU, as far as it can be without one."""
    model = opened(path)
    if not model.nbytes:
        return ours.load_file(path)
    return load_onto(torch.device("cpu"), passing_work(model))


def told(opened, path, what):
    """What an open file says."""
    with opened(path, framework="pt") as file:
        return getattr(file, what)()


def tensor(opened, path, framework, name):
    """One whole tensor, which outlives the file."""
    with opened(path, framework) as file:
        return file.get_tensor(name)


def parts(opened, path, name, indices, framework="pt"):
    """Parts of a tensor, and what can be asked before they are read."""
    with opened(path, framework, device="cpu") as file:
        found = file.get_slice(name)
    taken = [outcome(found.__getitem__, index) for index in indices]
    return found.get_shape(), found.get_dtype(), taken


def parts_for_numpy(path, name, indices):
    """Parts of a tensor as arrays, those alone that safetensors can take; it counts with True."""
    indices = [index for index in indices if "True" not in str(index)]
    mine = outcome(lambda: parts(ours.safe_open, path, name, indices, "np"))
    other = outcome(lambda: parts(safetensors.safe_open, path, name, indices, "np"))
    if mine[0] == other[0] == "value":
        mine[1][2][:] = [
            said if expected[0] == "value" else expected
            for said, expected in zip(mine[1][2], other[1][2], strict=True)
        ]
    return mine, other


def again(opened, path):
    """What an open file says that is opened again, and whether it can go to another process."""
    file = opened(path, framework="pt")
    said = [outcome(pickle.dumps, file)]
    for _ in range(2):
        with file as same:
            said.append(outcome(same.keys))
    asked = (file.keys, file.offset_keys, file.metadata, file.get_tensors)
    said += map(outcome, asked)
    return [*said, outcome(file.get_tensor, "a"), outcome(file.get_slice, "a")]


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(differences(*json.loads(line))), flush=True)  # noqa: T201  what is read
