import triton
import triton.language as tl


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def reduce2d(x, out, OP: tl.constexpr, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    value = tl.load(x + rows[:, None] * N + columns[None, :])
    if OP == "sum":
        result = tl.sum(value, axis=AXIS)
    elif OP == "max":
        result = tl.max(value, axis=AXIS)
    elif OP == "min":
        result = tl.min(value, axis=AXIS)
    elif OP == "argmax":
        result = tl.argmax(value, axis=AXIS)
    elif OP == "argmin":
        result = tl.argmin(value, axis=AXIS)
    elif OP == "xor_sum":
        result = tl.xor_sum(value, axis=AXIS)
    elif OP == "product":
        result = tl.reduce(value, AXIS, multiply)
    if AXIS == 0:
        tl.store(out + columns, result)
    else:
        tl.store(out + rows, result)


@triton.jit
def reduce_all(x, out, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if OP == "sum":
        tl.store(out, tl.sum(value))
    elif OP == "max":
        tl.store(out, tl.max(value))
    elif OP == "min":
        tl.store(out, tl.min(value))


@triton.jit
def reduce_keep(x, out, M: tl.constexpr, N: tl.constexpr):
    offsets = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    value = tl.load(x + offsets)
    tl.store(out + offsets, value - tl.max(value, axis=1, keep_dims=True))


@triton.jit
def max_with_indices(x, value_out, index_out, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    value = tl.load(x + rows[:, None] * N + tl.arange(0, N)[None, :])
    best, index = tl.max(value, axis=1, return_indices=True)
    tl.store(value_out + rows, best)
    tl.store(index_out + rows, index)


@triton.jit
def add_pairs(a0, b0, a1, b1):
    return a0 + a1, b0 * b1


@triton.jit
def reduce_pairs(x, y, sum_out, product_out, N: tl.constexpr):
    offsets = tl.arange(0, N)
    total, product = tl.reduce((tl.load(x + offsets), tl.load(y + offsets)), 0, add_pairs)
    tl.store(sum_out, total)
    tl.store(product_out, product)


@triton.jit
def larger(a, b):
    if a > b:
        result = a
    else:
        result = b
    return result


@triton.jit
def add_by_carries(a, b):
    while b != 0:
        carry = (a & b) << 1
        a = a ^ b
        b = carry
    return a


@triton.jit
def reduce_control(x, total_out, out, scan_out, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    """Functions with branches and loops, after one that has none."""
    rows = tl.arange(0, M)
    offsets = rows[:, None] * N + tl.arange(0, N)[None, :]
    value = tl.load(x + offsets)
    tl.store(total_out + rows, tl.sum(value, axis=1))
    combine: tl.constexpr = larger if OP == "larger" else add_by_carries
    tl.store(out + rows, tl.reduce(value, 1, combine))
    tl.store(scan_out + offsets, tl.associative_scan(value, 1, combine))
