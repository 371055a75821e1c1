package member

import (
	"math/bits"
	"sync"
)

// keepBuffers is how many bytes of idle buffers are kept: eight requests of
// the largest size over ten members.
const keepBuffers = 80 << 20

// Buffers are aligned to pages, as direct I/O wants them, and outside of the
// heap. They come in powers of two of chunks and are used again. A buffer
// belongs to an I/O until that returns, however late.
type Buffers struct {
	mu     sync.Mutex
	free   [32][][]byte // by the power
	idle   int          // bytes in free
	out    int          // buffers that are in use
	closed bool
}

// class is the power of two of chunks that n bytes fit.
func class(n int) int {
	return bits.Len(uint((n+ChunkSize-1)/ChunkSize - 1))
}

// Get is a buffer of n bytes, whatever they are.
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

// Put gives back what Get returned.
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

// Close unmaps what is idle; what is still in use follows when it is put.
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

// InUse is how many buffers have not come back.
func (b *Buffers) InUse() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out
}
