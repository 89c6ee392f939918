import triton
import triton.language as tl


@triton.jit
def dot(a, b, c, out, FORM: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    y = tl.load(b + k[:, None] * N + n[None, :])
    if FORM == "transposed":
        x = tl.load(a + k[:, None] * M + m[None, :])
        result = tl.dot(x.T, y, input_precision="ieee")
    else:
        x = tl.load(a + m[:, None] * K + k[None, :])
        if FORM == "plain":
            result = tl.dot(x, y, input_precision="ieee")
        elif FORM == "accumulate":
            result = tl.dot(x, y, tl.load(c + m[:, None] * N + n[None, :]), input_precision="ieee")
        elif FORM == "plus":
            result = tl.load(c + m[:, None] * N + n[None, :])
            result += tl.dot(x, y, input_precision="ieee")
        elif FORM == "half":
            result = tl.dot(x, y, out_dtype=tl.float16)
    tl.store(out + m[:, None] * N + n[None, :], result)


@triton.jit
def batched(a, b, out, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.arange(0, B)[:, None, None]
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    x = tl.load(a + i * M * K + m[None, :, None] * K + k[None, None, :])
    y = tl.load(b + i * K * N + k[None, :, None] * N + n[None, None, :])
    tl.store(out + i * M * N + m[None, :, None] * N + n[None, None, :], tl.dot(x, y, input_precision="ieee"))


# The transpose of an accumulator, narrowed, as the left operand of a second product.
@triton.jit
def chained(a, b, c, out, S: tl.constexpr):
    i = tl.arange(0, S)
    offsets = i[:, None] * S + i[None, :]
    first = tl.dot(tl.load(a + offsets), tl.load(b + offsets))
    second = tl.dot(tl.trans(first.to(a.dtype.element_ty)), tl.load(c + offsets))
    tl.store(out + offsets, second)


# Two products through one accumulator in a loop over k.
@triton.jit
def two_products(a, b, out, S: tl.constexpr, STEPS: tl.constexpr):
    i = tl.arange(0, S)
    total = tl.zeros((S, S), dtype=tl.float32)
    for step in range(STEPS):
        offsets = step * S * S + i[:, None] * S + i[None, :]
        x = tl.load(a + offsets)
        y = tl.load(b + offsets)
        total = tl.dot(x, y, total)
        total = tl.dot(y, x, total)
    tl.store(out + i[:, None] * S + i[None, :], total)
