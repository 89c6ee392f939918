import triton
import triton.language as tl


@triton.jit
def binary(x, y, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1)
    b = tl.load(y + offsets, mask=mask, other=1)
    if OP == "maximum":
        result = tl.maximum(a, b)
    elif OP == "minimum":
        result = tl.minimum(a, b)
    elif OP == "maximum_nan":
        result = tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    elif OP == "minimum_nan":
        result = tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
    elif OP == "div_rn":
        result = tl.div_rn(a, b)
    elif OP == "fdiv":
        result = tl.fdiv(a, b)
    elif OP == "fdiv_ieee":
        result = tl.fdiv(a, b, ieee_rounding=True)
    elif OP == "fma":
        result = tl.fma(a, b, a)
    elif OP == "umulhi":
        result = tl.umulhi(a, b)
    elif OP == "clamp":
        result = tl.clamp(a, -1.0, 1.0)
    elif OP == "cdiv":
        result = tl.cdiv(a, b)
    tl.store(out + offsets, result, mask=mask)
