import triton
import triton.language as tl


@triton.jit
def cast(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask)
    tl.store(out + offsets, value.to(out.dtype.element_ty), mask=mask)
