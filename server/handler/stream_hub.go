package handler

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// StreamOptions are the limits of a stream of messages.
type StreamOptions struct {
	Clients   int           // largest number of clients at a time
	Queue     int           // largest number of messages that wait for a client
	Heartbeat time.Duration // interval between two signs of life
	Write     time.Duration // longest time of a write
}

// DefaultStreamOptions returns limits for a server with consoles in a few browsers, which
// reconnect.
func DefaultStreamOptions() StreamOptions {
	return StreamOptions{Clients: 200, Queue: 256, Heartbeat: 15 * time.Second, Write: 10 * time.Second}
}

// hubMessage is a message to the clients.
type hubMessage struct {
	Number int64  // 0: the message is not archived; a client that missed it does not get it later
	Kind   string // name of the event, one word
	Data   []byte // JSON without line breaks
}

// frame returns the message in the format of server-sent events.
func (m *hubMessage) frame() []byte {
	var b bytes.Buffer
	if m.Number > 0 {
		b.WriteString("id: " + strconv.FormatInt(m.Number, 10) + "\n")
	}
	fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", m.Kind, m.Data)
	return b.Bytes()
}

// A hub sends messages to its clients.
type hub struct {
	options StreamOptions

	mu      sync.Mutex
	clients map[*client]struct{}
	dropped int64
	closed  bool
}

// client is a client of the hub.
type client struct {
	queue chan sent
	gone  chan struct{} // closed if the client was too slow, or if the hub is closed
}

// sent is a message in a queue. All clients share the frame.
type sent struct {
	number int64
	frame  []byte
}

// newHub returns a hub without clients.
func newHub(o StreamOptions) *hub { return &hub{options: o, clients: map[*client]struct{}{}} }

// Publish sends a message to all clients. It never waits: a client whose queue is full is dropped.
// A numbered message must be archived before, so that clients that connect later get it.
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

// join adds a client; nil: there are too many clients, or the hub is closed.
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

// leave removes a client. The caller holds the lock.
func (h *hub) leave(c *client) {
	if _, is := h.clients[c]; is {
		delete(h.clients, c)
		close(c.gone)
	}
}

// Close disconnects all clients and accepts no more.
func (h *hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for c := range h.clients {
		h.leave(c)
	}
}

// Counts returns the number of clients, and the number of clients that were dropped so far.
func (h *hub) Counts() (clients int, dropped int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.clients), h.dropped
}
