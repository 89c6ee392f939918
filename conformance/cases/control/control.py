import triton
import triton.language as tl


@triton.jit
def scale(x, factor=2, offset=0):
    return x * factor + offset


@triton.jit
def pair(x):
    return x + 1, x * 2


@triton.jit
def apply(x, function: tl.constexpr):
    return function(x)


@triton.jit
def triple(x):
    return x * 3


@triton.jit(noinline=True)
def add_scalars(a, b):
    return a * 10 + b


@triton.jit
def early(x, flag):
    if flag > 5:
        return x + 100
    if flag > 3:
        return x + 10
    return x


@triton.jit
def depth(x, n: tl.constexpr):
    if n == 0:
        return x
    else:
        return depth(x + n, n - 1)


@triton.jit
def control(x, out, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    if FORM == "for":
        total = tl.zeros_like(value)
        for i in range(n):
            total += value * i
    elif FORM == "for_step":
        total = value
        for i in range(2, n, 3):
            total += i
    elif FORM == "for_down":
        total = value
        for i in range(n, 0, -1):
            total = total * 2 - i
    elif FORM == "nested":
        total = tl.zeros_like(value)
        for i in range(n):
            for j in range(i):
                total += value + j
    elif FORM == "while":
        total = value
        i = 0
        while i * i < n:
            total += i
            i += 1
    elif FORM == "if_else":
        if n > 3:
            total = value + 1
        else:
            total = value - 1
    elif FORM == "elif":
        if n > 7:
            total = value
        elif n > 3:
            total = value * 2
        else:
            total = value * 3
    elif FORM == "if_in_loop":
        total = value
        for i in range(n):
            if i % 2 == 0:
                total += i
            else:
                total -= 1
    elif FORM == "static_range":
        total = value
        for i in tl.static_range(5):
            total = total * 2 + i
    elif FORM == "tl_range":
        total = value
        for i in tl.range(0, n, num_stages=2, loop_unroll_factor=2):
            total += i
    elif FORM == "ternary":
        total = value + (1 if n > 3 else 2)
    elif FORM == "helper":
        total = scale(value) + scale(value, 3) + scale(value, offset=n, factor=1)
    elif FORM == "tuple":
        a, b = pair(value)
        (c, d), e = pair(value), 4
        total = a + b * 2 + c - d + e
    elif FORM == "function_argument":
        total = apply(value, triple) + apply(value, scale)
    elif FORM == "noinline":
        total = value + add_scalars(n, 3)
    elif FORM == "early_return":
        total = early(value, n)
    elif FORM == "recursion":
        total = depth(value, 4)
    elif FORM == "walrus":
        total = (y := value + 1) * y
    elif FORM == "logical":
        if n > 2 and n < 9 or n == 20:
            total = value
        else:
            total = -value
    elif FORM == "not":
        if not n > 3:
            total = value
        else:
            total = value + 5
    elif FORM == "augmented":
        total = value
        total += 7
        total -= 2
        total *= 3
        total //= 2
        total %= 11
        total <<= 2
        total >>= 1
        total |= 1
        total ^= 6
        total &= 31
    elif FORM == "annotated":
        factor: tl.constexpr = 4
        total = value * factor
    elif FORM == "comprehension":
        steps: tl.constexpr = [i * i for i in range(4)]
        total = value + steps[3] + len(steps)
    elif FORM == "builtins":
        total = value + max(n, 4) + min(n, 2) + abs(-3)
    tl.store(out + offsets, total)


@triton.jit
def returns_early(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid >= n:
        return
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets) + 1)


@triton.jit
def persistent(x, out, n, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), tl.num_programs(0)):
        offsets = block * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(out + offsets, tl.load(x + offsets, mask=mask) * 2, mask=mask)


@triton.jit
def optional(x, bias, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets)
    if bias is not None:
        value += tl.load(bias + offsets)
    tl.store(out + offsets, value)


@triton.jit
def swizzle(out_i, out_j, I: tl.constexpr, J: tl.constexpr, G: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    a, b = tl.swizzle2d(i, j, I, J, G)
    tl.store(out_i + i * J + j, a)
    tl.store(out_j + i * J + j, b)


@triton.jit
def hints(x, out, n, BLOCK: tl.constexpr):
    tl.assume(n > 0)
    n = tl.multiple_of(n, 16)
    tl.static_assert(BLOCK % 16 == 0, "blocks are multiples of 16")
    offsets = tl.max_contiguous(tl.multiple_of(tl.arange(0, BLOCK), BLOCK), BLOCK)
    tl.device_assert(offsets < n, "in range")
    tl.store(out + offsets, tl.load(x + offsets))


@triton.jit
def mixed(x, y, out, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    a = tl.load(x + offsets)
    b = tl.load(y + offsets)
    if OP == "add":
        result = a + b
    elif OP == "mul":
        result = a * b
    elif OP == "maximum":
        result = tl.maximum(a, b)
    tl.store(out + offsets, result)
