import triton
import triton.language as tl

LIMIT = 5


@triton.jit
def rejected(x, n, FORM: tl.constexpr):
    offsets = tl.arange(0, 16)
    value = tl.load(x + offsets)
    if FORM == "break":
        for i in range(n):
            break
    elif FORM == "continue":
        for i in range(n):
            continue
    elif FORM == "loop_else":
        for i in range(n):
            value += i
        else:
            value += 1
    elif FORM == "lambda":
        f = lambda a: a
    elif FORM == "nested_def":
        def inner(a):
            return a
    elif FORM == "class":
        class Inner:
            pass
    elif FORM == "dict":
        d = {1: value}
    elif FORM == "try":
        try:
            value += 1
        except ValueError:
            value += 2
    elif FORM == "raise":
        raise ValueError("always")
    elif FORM == "import":
        import math
    elif FORM == "global":
        global LIMIT
    elif FORM == "yield":
        yield value
    elif FORM == "del":
        del value
    elif FORM == "match":
        match n:
            case _:
                value += 1
    elif FORM == "in":
        if n in (1, 2):
            value += 1
    elif FORM == "chained":
        if 1 < n < 3:
            value += 1
    elif FORM == "matmul":
        value = value @ value
    elif FORM == "pow":
        value = value**2
    elif FORM == "subscript_assignment":
        value[0] = 1
    elif FORM == "multiple_assignment":
        a = b = value
    elif FORM == "starred":
        a, *b = (1, 2, 3)
    elif FORM == "element":
        value = value[0]
    elif FORM == "return_in_loop":
        for i in range(n):
            if i > 3:
                return
    elif FORM == "block_condition":
        if value > 0:
            value += 1
    elif FORM == "global_value":
        value += LIMIT
    elif FORM == "undefined":
        value += nothing
    elif FORM == "one_arm":
        if n > 3:
            extra = 1
        value += extra
    elif FORM == "type_change":
        total = 0
        for i in range(n):
            total = total + 0.5
    elif FORM == "arms_disagree":
        if n > 3:
            y = 1
        else:
            y = 1.5
        value += y
    elif FORM == "arange":
        value += tl.arange(0, 12)
    elif FORM == "shapes":
        value = value + tl.arange(0, 32)
    elif FORM == "literal_range":
        value = value.to(tl.int8) + 300
    elif FORM == "negative_unsigned":
        value = value.to(tl.uint32) + -1
    elif FORM == "mixed_division":
        value = value.to(tl.int32) // value.to(tl.uint32)
    elif FORM == "float_floor":
        value = value.to(tl.float32) // 2.0
    elif FORM == "float_bits":
        value = value.to(tl.float32) & 1
    elif FORM == "other_without_mask":
        value = tl.load(x + offsets, other=0)
    elif FORM == "mask_type":
        value = tl.load(x + offsets, mask=offsets)
    elif FORM == "math_type":
        value = tl.exp(value)
    elif FORM == "dot_shape":
        value = tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((32, 16), tl.float16))
    elif FORM == "dot_type":
        value = tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float32))
    elif FORM == "axis":
        value = tl.sum(value, axis=1)
    elif FORM == "atomic_type":
        tl.atomic_add(x.to(tl.pointer_type(tl.int8)), 1)
    elif FORM == "static_assert":
        tl.static_assert(FORM == "other", "not that")
    elif FORM == "unknown_attribute":
        value = tl.no_such_function(value)
    elif FORM == "argument_name":
        value = tl.load(x + offsets, maskk=offsets < n)
    elif FORM == "pointers":
        value = tl.load(x + x)
    elif FORM == "descriptor":
        d = tl.make_tensor_descriptor(x, [n], [1], [16])
    elif FORM == "set":
        s = {n, 2}
    elif FORM == "generator":
        s = (n + i for i in range(3))
    elif FORM == "attribute_assignment":
        value.shape = 3
    elif FORM == "fp8_number":
        value = value.to(tl.float8e5) * 2
    elif FORM == "star_arguments":
        value = tl.load(**n)
    elif FORM == "with":
        with n:
            value += 1
    tl.store(x + offsets, value)
