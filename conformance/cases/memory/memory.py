import triton
import triton.language as tl


@triton.jit
def masked_load(x, out, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    if FORM == "zero":
        value = tl.load(x + offsets, mask=mask)
    elif FORM == "other":
        value = tl.load(x + offsets, mask=mask, other=-3)
    elif FORM == "none":
        value = tl.load(x + offsets % n)
    elif FORM == "cache":
        value = tl.load(x + offsets, mask=mask, other=0, cache_modifier=".cg", eviction_policy="evict_last")
    elif FORM == "volatile":
        value = tl.load(x + offsets, mask=mask, other=0, volatile=True)
    tl.store(out + offsets, value)


@triton.jit
def masked_store(x, out, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    if FORM == "mask":
        tl.store(out + offsets, value, mask=offsets < n)
    elif FORM == "scalar":
        tl.store(out, tl.sum(value, axis=0).to(out.dtype.element_ty))
    elif FORM == "cache":
        tl.store(out + offsets, value, mask=offsets < n, cache_modifier=".cs", eviction_policy="evict_first")
    elif FORM == "scatter":
        tl.store(out + (BLOCK - 1 - offsets), value, mask=offsets >= BLOCK - n)
    elif FORM == "constant":
        tl.store(out + offsets, 5, mask=offsets < n)


@triton.jit
def block_pointer(x, out, rows, columns, FORM: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_block_ptr(x, shape=(rows, columns), strides=(columns, 1), offsets=(tl.program_id(0) * M, 0), block_shape=(M, N),
                               order=(1, 0))
    target = tl.make_block_ptr(out, shape=(rows, columns), strides=(columns, 1), offsets=(tl.program_id(0) * M, 0), block_shape=(M, N),
                               order=(1, 0))
    for _ in range(0, columns, N):
        if FORM == "zero":
            value = tl.load(source, boundary_check=(0, 1), padding_option="zero")
        else:
            value = tl.load(source, boundary_check=(0, 1))
        tl.store(target, value * 2, boundary_check=(0, 1))
        source = tl.advance(source, (0, N))
        target = tl.advance(target, (0, N))


@triton.jit
def strided(x, out, rows, columns, x_row, x_column, M: tl.constexpr, N: tl.constexpr):
    m = tl.program_id(0) * M + tl.arange(0, M)
    n = tl.program_id(1) * N + tl.arange(0, N)
    inside = (m[:, None] < rows) & (n[None, :] < columns)
    value = tl.load(x + m[:, None] * x_row + n[None, :] * x_column, mask=inside)
    tl.store(out + m[:, None] * columns + n[None, :], value, mask=inside)


# Pointers kept in memory.
@triton.jit
def select_pointer(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    pointers = tl.where(offsets % 2 == 0, x + offsets, y + offsets)
    tl.store(out + offsets, tl.load(pointers, mask=mask), mask=mask)
