package raid

import (
	"context"
	"sync"
)

// A gate counts who is inside and closes once.
type gate struct {
	mu     sync.Mutex
	inside sync.WaitGroup
	shut   bool
	// closing is done when the gate shuts: what takes long is to leave.
	closing context.Context
	stop    context.CancelFunc
}

func (g *gate) init() { g.closing, g.stop = context.WithCancel(context.Background()) }

func (g *gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return ErrClosed
	}
	g.inside.Add(1)
	return nil
}

func (g *gate) leave() { g.inside.Done() }

// close lets nobody in any more and waits for those inside. It is false where
// the gate was shut before.
func (g *gate) close() bool {
	g.mu.Lock()
	was := g.shut
	g.shut = true
	g.mu.Unlock()
	g.stop()
	g.inside.Wait()
	return !was
}
