package handler

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// StreamOptions are the bounds of a hub.
type StreamOptions struct {
	Clients   int           // at once
	Queue     int           // messages that a client may be behind
	Heartbeat time.Duration // between signs of life
	Write     time.Duration // that a write may take
}

// DefaultStreamOptions suit a server with consoles in a few browsers, which reconnect.
func DefaultStreamOptions() StreamOptions {
	return StreamOptions{Clients: 200, Queue: 256, Heartbeat: 15 * time.Second, Write: 10 * time.Second}
}

// hubMessage is what clients are sent.
type hubMessage struct {
	Number int64  // 0: it is not kept, and nobody misses it
	Kind   string // name of the event, one word
	Data   []byte // without line ends, as JSON is
}

// frame is the message as it is sent.
func (m *hubMessage) frame() []byte {
	var b bytes.Buffer
	if m.Number > 0 {
		b.WriteString("id: " + strconv.FormatInt(m.Number, 10) + "\n")
	}
	fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", m.Kind, m.Data)
	return b.Bytes()
}

// A hub passes messages on.
type hub struct {
	options StreamOptions

	mu      sync.Mutex
	clients map[*client]struct{}
	dropped int64
	closed  bool
}

// client is one of them.
type client struct {
	queue chan sent
	gone  chan struct{} // closed where it was too slow, or the hub ends
}

// sent is a message in a queue. The frame is shared by all clients.
type sent struct {
	number int64
	frame  []byte
}

// newHub returns a hub without clients.
func newHub(o StreamOptions) *hub { return &hub{options: o, clients: map[*client]struct{}{}} }

// Publish sends a message to all clients. It never waits: a client whose queue is
// full is dropped. A numbered message must have been kept before, so that clients
// who come later find it.
func (h *hub) Publish(m hubMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.clients) == 0 {
		return
	}
	s := sent{m.Number, m.frame()}
	for c := range h.clients {
		select {
		case c.queue <- s:
		default:
			h.dropped++
			h.leave(c)
		}
	}
}

// join adds a client, unless there are too many.
func (h *hub) join() *client {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.clients) >= h.options.Clients {
		return nil
	}
	c := &client{queue: make(chan sent, h.options.Queue), gone: make(chan struct{})}
	h.clients[c] = struct{}{}
	return c
}

// leave takes a client out. The lock is held.
func (h *hub) leave(c *client) {
	if _, is := h.clients[c]; is {
		delete(h.clients, c)
		close(c.gone)
	}
}

// Close ends all clients and takes no more.
func (h *hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for c := range h.clients {
		h.leave(c)
	}
}

// Counts says how many clients there are, and how many were dropped so far.
func (h *hub) Counts() (clients int, dropped int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients), h.dropped
}
