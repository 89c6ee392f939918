import triton
import triton.language as tl


@triton.jit
def unary(x, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask, other=1.0)
    if OP == "exp":
        result = tl.exp(value)
    elif OP == "exp2":
        result = tl.exp2(value)
    elif OP == "log":
        result = tl.log(value)
    elif OP == "log2":
        result = tl.log2(value)
    elif OP == "sin":
        result = tl.sin(value)
    elif OP == "cos":
        result = tl.cos(value)
    elif OP == "sqrt":
        result = tl.sqrt(value)
    elif OP == "sqrt_rn":
        result = tl.sqrt_rn(value)
    elif OP == "rsqrt":
        result = tl.rsqrt(value)
    elif OP == "erf":
        result = tl.erf(value)
    elif OP == "floor":
        result = tl.floor(value)
    elif OP == "ceil":
        result = tl.ceil(value)
    elif OP == "abs":
        result = tl.abs(value)
    elif OP == "negate":
        result = -value
    elif OP == "sigmoid":
        result = tl.sigmoid(value)
    tl.store(out + offsets, result, mask=mask)
