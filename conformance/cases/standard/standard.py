import triton
import triton.language as tl


@triton.jit
def binary(x, y, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1)
    b = tl.load(y + offsets, mask=mask, other=1)
    if OP == "add":
        result = tl.add(a, b)
    elif OP == "sub":
        result = tl.sub(a, b)
    elif OP == "mul":
        result = tl.mul(a, b)
    elif OP == "cdiv":
        result = tl.cdiv(a, b)
    elif OP == "to_tensor":
        result = tl.to_tensor(a) + tl.to_tensor(0)
    elif OP == "cast":
        result = tl.cast(tl.cast(a, tl.int64) if a.dtype.is_int() else tl.cast(a, tl.float64), a.dtype)
    elif OP == "max_constancy":
        result = tl.max_constancy(a, 1)
    tl.store(out + offsets, result, mask=mask)


@triton.jit
def bits_of(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask, other=0)
    to: tl.constexpr = tl.core.get_int_dtype(value.dtype.primitive_bitwidth, signed=True)
    tl.store(out + offsets, value.to(to, bitcast=True), mask=mask)


@triton.jit
def rows(x, out, n, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None]
    j = tl.arange(0, N)[None, :]
    inside = j < n
    if OP == "softmax":
        value = tl.load(x + i * n + j, mask=inside, other=-float("inf"))
        tl.store(out + i * n + j, tl.softmax(value, dim=1), mask=inside)
    elif OP == "reduce_or":
        value = tl.load(x + i * n + j, mask=inside, other=0)
        tl.store(out + tl.arange(0, M), tl.reduce_or(value, 1))


@triton.jit
def shapes(x, out, OP: tl.constexpr, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    if OP == "unsqueeze":
        result = value.unsqueeze(0).unsqueeze(2)
    elif OP == "squeeze":
        result = tl.squeeze(value[None, :], 0)
    elif OP == "view":
        result = tl.view(value, (2, N // 2))
    elif OP == "bitonic_merge":
        halves = tl.sort(value.reshape(2, N // 2))
        flipped = tl.where(tl.arange(0, 2)[:, None] == 0, halves, tl.flip(halves, 1))
        result = tl.bitonic_merge(flipped.reshape(N))
    tl.store(out + tl.arange(0, N), result.reshape(N))


@triton.jit
def loop(x, out, n):
    total = tl.load(x)
    i = n * 0
    while tl.condition(i < n):
        total += i
        i += 1
    tl.store(out, total)


@triton.jit
def debug(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask, other=0)
    tl.device_print("value", value)
    tl.static_print("block", BLOCK)
    tl.core.expect_zero(value - value)
    tl.store(out + offsets, value, mask=mask)
