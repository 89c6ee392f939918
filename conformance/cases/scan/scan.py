import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def first_order(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def scan2d(x, out, OP: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    offsets = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    value = tl.load(x + offsets)
    if OP == "cumsum":
        result = tl.cumsum(value, axis=AXIS, reverse=REVERSE)
    elif OP == "cumprod":
        result = tl.cumprod(value, axis=AXIS, reverse=REVERSE)
    elif OP == "cummax":
        result = tl.associative_scan(value, AXIS, larger, reverse=REVERSE)
    tl.store(out + offsets, result)


@triton.jit
def linear_recurrence(a, b, out, N: tl.constexpr):
    offsets = tl.arange(0, N)
    _, state = tl.associative_scan((tl.load(a + offsets), tl.load(b + offsets)), 0, first_order)
    tl.store(out + offsets, state)


@triton.jit
def order(x, out, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, M)
    value = tl.load(x + rows[:, None] * N + tl.arange(0, N)[None, :])
    if OP == "sort":
        result = tl.sort(value)
    elif OP == "sort_descending":
        result = tl.sort(value, descending=True)
    elif OP == "topk":
        result = tl.topk(value, K)
    elif OP == "flip":
        result = tl.flip(value, 1)
    tl.store(out + rows[:, None] * K + tl.arange(0, K)[None, :], result)


@triton.jit
def histogram(x, out, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    counts = tl.histogram(tl.load(x + offsets, mask=mask, other=0), BINS, mask=mask)
    tl.store(out + tl.arange(0, BINS), counts)


@triton.jit
def gather(x, index, out, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    source = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    if AXIS == 1:
        offsets = tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :]
    else:
        offsets = tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + offsets, tl.gather(source, tl.load(index + offsets), AXIS))
