// This file streams numbered messages to many clients, as server-sent events, which any browser can
// read.
//
// The publisher never waits. If the queue of a slow client is full, the client is disconnected.
// When the client connects again, it sends the number of its last message, and gets the messages
// that it missed. So a client may be disconnected, but it never misses a message and never gets one
// twice.
//
// The file knows nothing of storage.

package handler

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// past returns messages that were published before: at most limit, in order, with numbers greater
// than after.
type past func(ctx context.Context, after int64, limit int) ([]hubMessage, error)

// pastPage is the number of messages in one call of past.
const pastPage = 256

// errFull is the error for a client beyond the largest number of clients.
var errFull = errors.New("too many clients are connected to the stream of events; close another client, or try again later")

// after returns the number of the last message that a client has:
//   - the header Last-Event-ID, which browsers send when they connect again;
//   - else the parameter "after";
//   - else latest: the client gets only new messages.
//
// If the number is greater than latest, after returns latest, and reset is true.
func after(r *http.Request, latest int64) (after int64, reset bool, err error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return latest, false, nil
	}
	after, err = strconv.ParseInt(text, 10, 64)
	if err != nil || after < 0 {
		return 0, false, errors.New("the parameter \"after\" and the header Last-Event-ID must be the number of an event: a whole number, 0 or larger")
	}
	if after > latest {
		return latest, true, nil
	}
	return after, false, nil
}

// Serve sends a client the messages that it missed, and then new messages, until the client
// disconnects or is too slow, or the hub is closed. It returns errFull before anything is written.
// It returns nil in all other cases, because the client just connects again.
func (h *hub) Serve(w http.ResponseWriter, r *http.Request, after int64, reset bool, past past) error {
	c := h.join()
	if c == nil {
		return errFull
	}
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.leave(c)
	}()
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise a proxy would delay messages
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more is read; the stream ends when the client disconnects
	o := &outlet{w: w, control: control, patience: h.options.Write, last: after}
	o.write([]byte("retry: 3000\n\n"))
	if reset {
		o.write((&hubMessage{Kind: "reset", Data: []byte("{}")}).frame())
	}
	o.past(r.Context(), past)
	o.live(r.Context(), c, h.options.Heartbeat)
	return nil
}

// outlet writes to one client.
type outlet struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
	last     int64 // number of the last message that was written
	err      error
}

// write writes a frame and flushes it. The client has the time patience to read it.
func (o *outlet) write(frame []byte) {
	if o.err != nil {
		return
	}
	_ = o.control.SetWriteDeadline(time.Now().Add(o.patience)) //nolint:forbidigo // a deadline of a connection needs the real clock
	if _, o.err = o.w.Write(frame); o.err == nil {
		o.err = o.control.Flush()
	}
}

// message writes a message, unless the client already has it.
func (o *outlet) message(number int64, frame []byte) {
	if number != 0 && number <= o.last {
		return
	}
	o.write(frame)
	o.last = max(o.last, number)
}

// past writes the messages that were published before the client connected.
func (o *outlet) past(ctx context.Context, past past) {
	for o.err == nil {
		list, err := past(ctx, o.last, pastPage)
		if err != nil {
			o.err = err // ends the stream; the client connects again
			return
		}
		for i := range list {
			o.message(list[i].Number, list[i].frame())
		}
		if len(list) < pastPage {
			return
		}
	}
}

// live writes new messages.
func (o *outlet) live(ctx context.Context, c *client, heartbeat time.Duration) {
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for o.err == nil {
		select {
		case <-ctx.Done():
			return
		case <-c.gone:
			return
		case s := <-c.queue:
			o.message(s.number, s.frame)
		case <-alive.C:
			o.write([]byte(": alive\n\n"))
		}
	}
}
