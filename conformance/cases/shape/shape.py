import triton
import triton.language as tl


@triton.jit
def transform(x, y, out, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    offsets = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + offsets)
    b = tl.load(y + offsets)
    if OP == "trans":
        result = tl.trans(a)
    elif OP == "property":
        result = a.T
    elif OP == "permute":
        result = tl.permute(a, (1, 0))
    elif OP == "reshape":
        result = tl.reshape(a, (N, M))
    elif OP == "view":
        result = a.reshape(M * N)
    elif OP == "ravel":
        result = tl.ravel(a)
    elif OP == "join":
        result = tl.join(a, b)
    elif OP == "interleave":
        result = tl.interleave(a, b)
    elif OP == "cat":
        result = tl.cat(tl.ravel(a), tl.ravel(b), can_reorder=True)
        result = tl.sort(result)
    elif OP == "split":
        left, right = tl.split(tl.reshape(a, (M, N // 2, 2)))
        result = left * 3 + right
    elif OP == "broadcast_to":
        result = tl.broadcast_to(tl.sum(a, axis=1)[:, None], (M, N))
    elif OP == "broadcast":
        p, q = tl.broadcast(tl.sum(a, axis=1)[:, None], b)
        result = p + q
    elif OP == "expand_dims":
        result = tl.expand_dims(tl.expand_dims(a, 0), 2)
    elif OP == "permute3":
        result = tl.permute(tl.reshape(a, (2, M // 2, N)), (2, 0, 1))
    elif OP == "full":
        result = tl.full((M, N), 7, a.dtype) + tl.zeros_like(a) + tl.zeros((M, N), dtype=a.dtype)
    elif OP == "squeeze":
        result = a[:, None, :].reshape(M, N)
    flat = tl.ravel(result)
    tl.store(out + tl.arange(0, flat.numel), flat)
