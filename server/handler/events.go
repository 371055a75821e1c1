package handler

import (
	"context"
	"net/http"
	"strings"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// events streams the events to clients that accept a stream, and lists them for other clients.
func (h *Handler) events(w *Response, r *http.Request) error {
	w.Header().Add("Vary", "Accept")
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return answerJSON(h.eventList)(w, r)
	}
	after, reset, err := after(r, h.Site.Result().Event)
	if err != nil {
		return badf("%v", err)
	}
	w.Streams = true
	return h.hub.Serve(w, r, after, reset, h.messages)
}

// messages returns events of the archive as messages of the stream.
func (h *Handler) messages(ctx context.Context, after int64, limit int) ([]hubMessage, error) {
	events, err := h.Site.Events(ctx, after, limit)
	if err != nil {
		h.Report(err)
		return nil, err
	}
	list := make([]hubMessage, len(events))
	for i, e := range events {
		if list[i], err = message(e); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (h *Handler) eventList(r *http.Request) (any, error) {
	p := parametersOf(r)
	after, limit := p.Number("after", 0, 0, 1<<62), p.Limit()
	if p.Err != nil {
		return nil, p.Err
	}
	last := h.Site.Result().Event
	events, err := h.Site.Events(r.Context(), after, limit)
	if err != nil {
		return nil, err
	}
	if n := len(events); n > 0 {
		last = max(last, events[n-1].Number)
	}
	return api.EventList{Events: document.List(events), Last: last}, nil
}
