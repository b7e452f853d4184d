from __future__ import annotations
import numpy as np
from numba import prange
from nearly.base.jit import parallel_kernel
from nearly.base.random import draw, permutation, permute, BLOCK
LEVELS = 6
_LEVELS=np.uint64(LEVELS)
_CELL=np.uint64(2*LEVELS)
_CELL_MASK=np.uint64((1<<2*LEVELS)-1)
_SIDE=np.uint64((1<<LEVELS)-1)
_COIN=np.uint64(32-2*LEVELS)
_COIN_MASK=np.uint64((1<<(32-2*LEVELS))-1)
_32=np.uint64(32)
_LOW=np.uint64(0xffffffff)
from nearly.base.jit import kernel
@kernel
def pick(table, bits):
    bucket = bits >> _COIN
    entry = np.uint64(table[bucket])
    return bucket if (bits & _COIN_MASK) < (entry >> _CELL) else entry & _CELL_MASK

@parallel_kernel
def fill(key, permute_key, lo, scale, hashes, excess, relabel, table, src, dst):
    p = permutation(permute_key, np.uint64(1) << scale)
    for b in prange((src.size + BLOCK-1) // BLOCK):
        first = b*BLOCK
        last = min(first+BLOCK, src.size)
        s, d = src[first:last], dst[first:last]
        sample(key, lo+np.uint64(first), hashes, excess, table, s, d)
        if relabel:
            permute(p, s); permute(p, d)
@kernel
def sample(key, first, hashes, excess, table, src, dst):
    for i in range(np.uint64(src.size)):
        e = (first + i) * hashes
        u = np.uint64(0); v = np.uint64(0)
        for h in range(hashes):
            bits = draw(key, e + np.uint64(h))
            a = pick(table, bits >> _32)
            b = pick(table, bits & _LOW)
            u = (((u << _LEVELS) | (a >> _LEVELS)) << _LEVELS) | (b >> _LEVELS)
            v = (((v << _LEVELS) | (a & _SIDE)) << _LEVELS) | (b & _SIDE)
        src[i] = u>>excess; dst[i] = v>>excess
