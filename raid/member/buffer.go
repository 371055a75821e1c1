package member

import (
	"math/bits"
	"sync"
)

// keepBuffers is the largest number of bytes in idle buffers: eight requests of the largest size
// over ten members.
const keepBuffers = 80 << 20

// Buffers is a pool of buffers outside of the heap, aligned to pages as direct I/O needs. Their
// sizes are 1, 2, 4, 8 … chunks. A buffer belongs to an I/O until the I/O returns, however late.
type Buffers struct {
	mu     sync.Mutex
	free   [32][][]byte // by class
	idle   int          // bytes in free
	out    int          // number of buffers in use
	closed bool
}

// class returns the smallest c with n bytes ≤ 2^c chunks.
func class(n int) int {
	return bits.Len(uint((n+ChunkSize-1)/ChunkSize - 1))
}

// Get returns a buffer of n bytes with arbitrary content.
func (b *Buffers) Get(n int) []byte {
	c := class(n)
	b.mu.Lock()
	b.out++
	if list := b.free[c]; len(list) > 0 {
		buf := list[len(list)-1]
		b.free[c] = list[:len(list)-1]
		b.idle -= cap(buf)
		b.mu.Unlock()
		return buf[:n]
	}
	b.mu.Unlock()
	return mapBuffer(ChunkSize << c)[:n]
}

// Put returns a buffer to the pool.
func (b *Buffers) Put(buf []byte) {
	buf = buf[:cap(buf)]
	b.mu.Lock()
	b.out--
	keep := !b.closed && b.idle+len(buf) <= keepBuffers
	if keep {
		c := class(len(buf))
		b.free[c] = append(b.free[c], buf)
		b.idle += len(buf)
	}
	b.mu.Unlock()
	if !keep {
		unmapBuffer(buf)
	}
}

// Close unmaps the idle buffers. A buffer in use is unmapped by its Put.
func (b *Buffers) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for c, list := range b.free {
		for _, buf := range list {
			unmapBuffer(buf)
		}
		b.free[c] = nil
	}
	b.idle = 0
}

// InUse returns the number of buffers that were not put back.
func (b *Buffers) InUse() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out
}
