package nbd

import (
	"math/bits"
	"sync"
)

// A budget is bytes that requests of a connection may hold.
type budget struct {
	mu    sync.Mutex
	more  sync.Cond
	bytes int
}

func newBudget(bytes int) *budget {
	b := &budget{bytes: bytes}
	b.more.L = &b.mu
	return b
}

// least is what the smallest request counts for, so that their number is
// bounded too.
const least = 4096

// take waits until so many bytes are free.
func (b *budget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.bytes < max(n, least) {
		b.more.Wait()
	}
	b.bytes -= max(n, least)
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes += max(n, least)
	b.more.Signal()
}

// buffers are pools of those of 2^i bytes, which Go aligns to pages from one
// page on: a device can read straight into them.
type buffers [32]sync.Pool

func (b *buffers) get(n int) []byte {
	if n == 0 {
		return nil
	}
	class := bits.Len(uint(max(n, least) - 1))
	if p, ok := b[class].Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, 1<<class)
}

func (b *buffers) put(p []byte) {
	if p != nil {
		p = p[:cap(p)]
		b[bits.Len(uint(len(p)-1))].Put(&p)
	}
}
