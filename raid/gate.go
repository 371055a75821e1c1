package raid

import (
	"context"
	"sync"
)

// A gate counts the operations inside, and closes once.
type gate struct {
	mu     sync.Mutex
	inside sync.WaitGroup
	shut   bool
	// closing is cancelled when the gate shuts, so that long operations end.
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

// close refuses new operations and waits for the operations inside. It returns false if the gate
// was shut before.
func (g *gate) close() bool {
	g.mu.Lock()
	was := g.shut
	g.shut = true
	g.mu.Unlock()
	g.stop()
	g.inside.Wait()
	return !was
}
