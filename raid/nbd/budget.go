package nbd

import (
	"math/bits"
	"sync"
)

// A budget limits the bytes in memory of requests.
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

// least is the smallest number of bytes that a request counts for, so that the number of requests
// is limited too.
const least = 4096

// take waits until n bytes are free.
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

// buffers[i] is a pool of buffers of 2^i bytes. Go aligns buffers of a page or more to pages, so
// that a device can read directly into them.
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
