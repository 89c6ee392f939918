import triton
import triton.language as tl
import triton.language.extra.libdevice as by_module
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as by_vendor

by_alias = tl.extra.libdevice.tanh


@triton.jit
def unary(x, out, n, NAME: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask, other=0.5)
    if NAME == "tanh":
        result = by_alias(value)
    elif NAME == "log1p":
        result = by_vendor.log1p(value)
    elif NAME == "expm1":
        result = by_module.expm1(value)
    else:
        result = getattr(libdevice, NAME)(value)
    tl.store(out + offsets, result, mask=mask)


@triton.jit
def binary(x, y, out, n, NAME: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1.0)
    b = tl.load(y + offsets, mask=mask, other=1.0)
    tl.store(out + offsets, getattr(libdevice, NAME)(a, b), mask=mask)


@triton.jit
def ternary(x, y, out, n, NAME: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1.0)
    b = tl.load(y + offsets, mask=mask, other=1.0)
    tl.store(out + offsets, getattr(libdevice, NAME)(a, b, a), mask=mask)


@triton.jit
def inverse(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, libdevice.erf(libdevice.erfinv(tl.load(x + offsets, mask=mask, other=0.0))), mask=mask)
