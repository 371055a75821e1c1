// This file sends numbered messages to many clients as they happen, as
// server-sent events that any browser reads.
//
// The stance: who publishes never waits. A client that reads too slowly is dropped
// once its queue is full; it comes back with the number of the last message that it
// has, and is sent what it missed. So a client may be cut off, and never misses or
// doubles a message.
//
// It knows nothing of storage.

package handler

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// past finds messages that were published before: at most limit, in order, with
// numbers above after.
type past func(ctx context.Context, after int64, limit int) ([]hubMessage, error)

// pastPage is how many are asked for at once.
const pastPage = 256

// errFull is the error of a client beyond the bound.
var errFull = errors.New("too many clients are connected to the stream of events; close another client, or try again later")

// after is the number of the last message that a client has: that of the header
// that browsers send when they come back, else the parameter "after". Without
// either it is latest: only what is new is sent. It is latest, too, where a client
// names a number that was never given out, and then reset is true.
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

// Serve sends a client what it missed after a number, and then what happens, until
// the client goes, is too slow, or the hub is closed. It returns [ErrFull] before
// anything was written; all other ends are silent, as the client just comes back.
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
	header.Set("X-Accel-Buffering", "no") // a proxy would hold messages back
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // nothing more is read; the client ends it by going
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
	last     int64 // number of the last message
	err      error
}

// write writes a frame at once, within the time that a client has for it.
func (o *outlet) write(frame []byte) {
	if o.err != nil {
		return
	}
	_ = o.control.SetWriteDeadline(time.Now().Add(o.patience)) //nolint:forbidigo // a network has a clock
	if _, o.err = o.w.Write(frame); o.err == nil {
		o.err = o.control.Flush()
	}
}

// message writes a message that the client does not have yet.
func (o *outlet) message(number int64, frame []byte) {
	if number != 0 && number <= o.last {
		return
	}
	o.write(frame)
	o.last = max(o.last, number)
}

// past writes what was published before the client came.
func (o *outlet) past(ctx context.Context, past past) {
	for o.err == nil {
		list, err := past(ctx, o.last, pastPage)
		if err != nil {
			o.err = err // the client comes back
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

// live writes what is published.
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
