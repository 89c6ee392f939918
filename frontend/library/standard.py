# The part of the language that is written in the language.
import triton
import triton.language as tl


@triton.constexpr_function
def _sum_dtype(dtype, wanted):
    """Sums of narrow integers are 32 bits wide, unless another type is asked for."""
    if wanted is not None:
        return wanted
    if dtype.is_int() and dtype.primitive_bitwidth < 32:
        return tl.int32 if dtype.is_int_signed() else tl.uint32
    return dtype


@triton.constexpr_function
def _order_dtype(dtype):
    """What max and min compare narrow values in."""
    if dtype.primitive_bitwidth >= 32:
        return dtype
    return tl.float32 if dtype.is_floating() else tl.int32


@triton.constexpr_function
def _without_bfloat16(dtype):
    return tl.float32 if dtype.is_bf16() else dtype


@triton.constexpr_function
def _log2(n):
    return n.bit_length() - 1


@triton.constexpr_function
def _wrapped(axis, rank):
    return axis if axis >= 0 else axis + rank


@triton.constexpr_function
def _all_but(axis, rank):
    return [d for d in range(rank) if d != axis]


@triton.constexpr_function
def _replaced(shape, axis, size):
    return [size if d == axis else shape[d] for d in range(len(shape))]


@triton.jit
def _add(a, b):
    return a + b


@triton.jit
def _multiply(a, b):
    return a * b


@triton.jit
def _xor(a, b):
    return a ^ b


@triton.jit
def _or(a, b):
    return a | b


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def _smaller(a, b):
    return tl.minimum(a, b)


@triton.jit
def cdiv(x, div):
    return (x + div - 1) // div


@triton.jit
def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)


@triton.jit
def zeros_like(input):
    return tl.full(input.shape, 0, input.dtype)


@triton.jit
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@triton.jit
def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    powers = tl.exp(x - tl.max(x, axis, keep_dims=True))
    return tl.fdiv(powers, tl.sum(powers, axis, keep_dims=True), ieee_rounding)


@triton.jit
def sum(input, axis=None, keep_dims=False, dtype: tl.constexpr = None):
    wide: tl.constexpr = _sum_dtype(input.dtype, dtype)
    return tl.reduce(input.to(wide), axis, _add, keep_dims=keep_dims)


@triton.jit
def xor_sum(input, axis=None, keep_dims=False):
    tl.static_assert(input.dtype.is_int(), "xor_sum takes integers")
    return tl.reduce(input, axis, _xor, keep_dims=keep_dims)


@triton.jit
def reduce_or(input, axis=None, keep_dims=False):
    tl.static_assert(input.dtype.is_int(), "reduce_or takes integers")
    return tl.reduce(input, axis, _or, keep_dims=keep_dims)


@triton.jit
def _with_indices(input, axis, combine: tl.constexpr, keep_dims):
    if axis is None:
        flat = tl.reshape(input, [input.numel])
        return tl.reduce((flat, tl.arange(0, input.numel)), None, combine, keep_dims=keep_dims)
    at: tl.constexpr = _wrapped(axis, len(input.shape))
    index = tl.arange(0, input.shape[at])
    if len(input.shape) > 1:
        index = tl.broadcast_to(tl.expand_dims(index, _all_but(at, len(input.shape))), input.shape)
    return tl.reduce((input, index), axis, combine, keep_dims=keep_dims)


@triton.jit
def _greatest_first(value1, index1, value2, index2):
    take = (value1 > value2) | ((value1 == value2) & (index1 < index2))
    return tl.where(take, value1, value2), tl.where(take, index1, index2)


@triton.jit
def _greatest_any(value1, index1, value2, index2):
    take = value1 > value2
    return tl.where(take, value1, value2), tl.where(take, index1, index2)


@triton.jit
def _least_first(value1, index1, value2, index2):
    take = (value1 < value2) | ((value1 == value2) & (index1 < index2))
    return tl.where(take, value1, value2), tl.where(take, index1, index2)


@triton.jit
def _least_any(value1, index1, value2, index2):
    take = value1 < value2
    return tl.where(take, value1, value2), tl.where(take, index1, index2)


@triton.jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        wide: tl.constexpr = _without_bfloat16(input.dtype)
        if return_indices_tie_break_left:
            return _with_indices(input.to(wide), axis, _greatest_first, keep_dims)
        else:
            return _with_indices(input.to(wide), axis, _greatest_any, keep_dims)
    else:
        order: tl.constexpr = _order_dtype(input.dtype)
        return tl.reduce(input.to(order), axis, _larger, keep_dims=keep_dims)


@triton.jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        wide: tl.constexpr = _without_bfloat16(input.dtype)
        if return_indices_tie_break_left:
            return _with_indices(input.to(wide), axis, _least_first, keep_dims)
        else:
            return _with_indices(input.to(wide), axis, _least_any, keep_dims)
    else:
        order: tl.constexpr = _order_dtype(input.dtype)
        return tl.reduce(input.to(order), axis, _smaller, keep_dims=keep_dims)


@triton.jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    _, index = tl.max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


@triton.jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    _, index = tl.min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left, keep_dims=keep_dims)
    return index


@triton.jit
def cumsum(input, axis=0, reverse=False, dtype: tl.constexpr = None):
    wide: tl.constexpr = _sum_dtype(_without_bfloat16(input.dtype), dtype)
    return tl.associative_scan(input.to(wide), axis, _add, reverse)


@triton.jit
def cumprod(input, axis=0, reverse=False):
    wide: tl.constexpr = _without_bfloat16(input.dtype)
    return tl.associative_scan(input.to(wide), axis, _multiply, reverse)


# Compares elements `distance` apart along the last axis and swaps those out of order. Blocks of `block` elements alternate in
# direction, which makes their concatenation bitonic for the next step.
@triton.jit
def _exchange(x, distance: tl.constexpr, block: tl.constexpr, descending: tl.constexpr):
    n: tl.constexpr = x.shape[-1]
    rows: tl.constexpr = x.numel // (2 * distance)
    first, second = tl.split(tl.permute(tl.reshape(x, [rows, 2, distance]), (0, 2, 1)))
    position = tl.arange(0, rows) * (2 * distance) % n
    down = (position // block % 2 == 1) != descending
    swap = (first > second) != tl.broadcast_to(down[:, None], (rows, distance))
    lower = tl.where(swap, second, first)
    upper = tl.where(swap, first, second)
    return tl.reshape(tl.permute(tl.join(lower, upper), (0, 2, 1)), x.shape)


@triton.jit
def _merge(x, block: tl.constexpr, descending: tl.constexpr):
    for step in tl.static_range(_log2(block)):
        x = _exchange(x, block // 2 // (2**step), block, descending)
    return x


@triton.jit
def sort(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else _wrapped(dim, len(x.shape))
    tl.static_assert(axis == len(x.shape) - 1, "only the last dimension can be sorted")
    for stage in tl.static_range(1, _log2(x.shape[-1]) + 1):
        x = _merge(x, 2**stage, descending)
    return x


@triton.jit
def bitonic_merge(x, dim: tl.constexpr = None, descending: tl.constexpr = False):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else _wrapped(dim, len(x.shape))
    tl.static_assert(axis == len(x.shape) - 1, "only the last dimension can be merged")
    return _merge(x, x.shape[-1], descending)


@triton.jit
def topk(x, k: tl.constexpr, dim: tl.constexpr = None, descending: tl.constexpr = True):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else _wrapped(dim, len(x.shape))
    tl.static_assert(axis == len(x.shape) - 1, "only the last dimension can be selected from")
    ordered = tl.sort(x, axis, descending)
    shape: tl.constexpr = _replaced(x.shape, axis, k)
    index = tl.arange(0, k)
    if len(x.shape) > 1:
        index = tl.broadcast_to(tl.expand_dims(index, _all_but(axis, len(x.shape))), shape)
    return tl.gather(ordered, index, axis)


@triton.jit
def flip(x, dim=None):
    axis: tl.constexpr = len(x.shape) - 1 if dim is None else _wrapped(dim, len(x.shape))
    index = x.shape[axis] - 1 - tl.arange(0, x.shape[axis])
    if len(x.shape) > 1:
        index = tl.broadcast_to(tl.expand_dims(index, _all_but(axis, len(x.shape))), x.shape)
    return tl.gather(x, index, axis)


@triton.jit
def interleave(a, b):
    joined = tl.join(a, b)
    if len(joined.shape) == 1:
        return joined
    else:
        return tl.reshape(joined, joined.shape[:-2] + [2 * joined.shape[-2]])


@triton.jit
def swizzle2d(i, j, size_i, size_j, size_g):
    position = i * size_j + j
    per_group = size_g * size_j
    group = position // per_group
    first = group * size_g
    height = tl.minimum(size_i - first, size_g)
    within = position % per_group
    return first + within % height, within // height


@triton.jit
def expect_zero(x, mask=None):
    tl.device_assert(x == 0, "expected zero", mask)
