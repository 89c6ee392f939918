import triton
import triton.language as tl


@triton.jit
def binary(x, y, out, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1)
    b = tl.load(y + offsets, mask=mask, other=1)
    if OP == "add":
        result = a + b
    elif OP == "sub":
        result = a - b
    elif OP == "mul":
        result = a * b
    elif OP == "div":
        result = a / b
    elif OP == "floordiv":
        result = a // b
    elif OP == "mod":
        result = a % b
    elif OP == "and":
        result = a & b
    elif OP == "or":
        result = a | b
    elif OP == "xor":
        result = a ^ b
    elif OP == "shl":
        result = a << b
    elif OP == "shr":
        result = a >> b
    elif OP == "invert":
        result = ~a
    elif OP == "eq":
        result = a == b
    elif OP == "ne":
        result = a != b
    elif OP == "lt":
        result = a < b
    elif OP == "le":
        result = a <= b
    elif OP == "gt":
        result = a > b
    elif OP == "ge":
        result = a >= b
    elif OP == "where":
        result = tl.where(a < b, a, b)
    elif OP == "logical":
        result = (a > b).logical_and(a != 0).logical_or(b == 1)
    tl.store(out + offsets, result, mask=mask)
