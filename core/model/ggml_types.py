"""GGML tensor types: number, name, and how values are packed.

Numbers and sizes: enum ggml_type and the block structures of ggml (ggml.h, ggml-common.h), which
end with type 42 in November 2026. Forks have others, and may use the same number for two of them.
"""

from __future__ import annotations

from typing import NamedTuple


class GgmlType(NamedTuple):
    """`block_values` values are stored together in `block_bytes` bytes."""

    name: str
    block_values: int
    block_bytes: int


GGML_TYPES: dict[int, GgmlType] = {
    0: GgmlType("F32", 1, 4),
    1: GgmlType("F16", 1, 2),
    2: GgmlType("Q4_0", 32, 18),
    3: GgmlType("Q4_1", 32, 20),
    6: GgmlType("Q5_0", 32, 22),
    7: GgmlType("Q5_1", 32, 24),
    8: GgmlType("Q8_0", 32, 34),
    9: GgmlType("Q8_1", 32, 40),
    10: GgmlType("Q2_K", 256, 84),
    11: GgmlType("Q3_K", 256, 110),
    12: GgmlType("Q4_K", 256, 144),
    13: GgmlType("Q5_K", 256, 176),
    14: GgmlType("Q6_K", 256, 210),
    15: GgmlType("Q8_K", 256, 292),
    16: GgmlType("IQ2_XXS", 256, 66),
    17: GgmlType("IQ2_XS", 256, 74),
    18: GgmlType("IQ3_XXS", 256, 98),
    19: GgmlType("IQ1_S", 256, 50),
    20: GgmlType("IQ4_NL", 32, 18),
    21: GgmlType("IQ3_S", 256, 110),
    22: GgmlType("IQ2_S", 256, 82),
    23: GgmlType("IQ4_XS", 256, 136),
    24: GgmlType("I8", 1, 1),
    25: GgmlType("I16", 1, 2),
    26: GgmlType("I32", 1, 4),
    27: GgmlType("I64", 1, 8),
    28: GgmlType("F64", 1, 8),
    29: GgmlType("IQ1_M", 256, 56),
    30: GgmlType("BF16", 1, 2),
    34: GgmlType("TQ1_0", 256, 54),
    35: GgmlType("TQ2_0", 256, 66),
    39: GgmlType("MXFP4", 32, 17),
    40: GgmlType("NVFP4", 64, 36),
    41: GgmlType("Q1_0", 128, 18),
    42: GgmlType("Q2_0", 64, 18),
}

REMOVED_TYPES = {
    4: ("Q4_2", "Q4_0"),
    5: ("Q4_3", "Q4_1"),
    31: ("Q4_0_4_4", "Q4_0"),
    32: ("Q4_0_4_8", "Q4_0"),
    33: ("Q4_0_8_8", "Q4_0"),
    37: ("IQ4_NL_4_8", "IQ4_NL"),
    38: ("IQ4_NL_8_8", "IQ4_NL"),
}
"""What ggml had and no longer loads, and the type that takes its place. Type 36 is also BitNet's
I2_S, which its own programs load.
"""

UNKNOWN_TYPE = "type "
"""How a type is shown that is none of these, with its number behind."""

GGML_TYPE_NUMBERS: dict[str, int] = {kind.name: number for number, kind in GGML_TYPES.items()}
GGML_TYPES_BY_NAME: dict[str, GgmlType] = {kind.name: kind for kind in GGML_TYPES.values()}


def is_quantised(dtype: str) -> bool:
    """Whether it is a type of ggml that stores several values together."""
    return dtype in GGML_TYPES_BY_NAME and GGML_TYPES_BY_NAME[dtype].block_values > 1
