import triton
import triton.language as tl


@triton.jit
def random(out, seed, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    if FORM == "randint":
        value = tl.randint(seed, offsets)
    elif FORM == "rand":
        value = tl.rand(seed, offsets)
    elif FORM == "randn":
        value = tl.randn(seed, offsets)
    elif FORM == "randint4x":
        a, b, c, d = tl.randint4x(seed, offsets)
        value = a ^ (b + 1) ^ (c + 2) ^ (d + 3)
    elif FORM == "rand4x":
        a, b, c, d = tl.rand4x(seed, offsets)
        value = (a + b) + (c + d)
    elif FORM == "randn4x":
        a, b, c, d = tl.randn4x(seed, offsets)
        value = (a + b) + (c + d)
    elif FORM == "rounds":
        value = tl.randint(seed, offsets, n_rounds=7)
    elif FORM == "wide":
        value = tl.randint(seed, offsets.to(tl.int64) + 8589934592)
    elif FORM == "philox":
        _, _, value, _ = tl.philox(seed, offsets, offsets * 0, offsets * 0, offsets * 0)
    elif FORM == "philox_impl":
        count = offsets.to(tl.uint32)
        zero = count * 0
        _, _, _, value = tl.philox_impl(count, zero, zero, zero, zero + seed.to(tl.uint32), zero)
    elif FORM == "uniform":
        value = tl.random.uint_to_uniform_float(offsets.to(tl.uint32))
    elif FORM == "normal":
        u = (offsets + 1).to(tl.float32) / 256
        _, value = tl.pair_uniform_to_normal(u, u)
    tl.store(out + offsets, value, mask=mask)
