package replay

import "time"

// An event is an arrival of a request, or an answer or a wake of one of its parts.
type event struct {
	at    time.Duration
	order int // order of events with the same time: as they were pushed
	what  what
	r     *request // request that arrives
	p     *part    // part that is answered or woken
	from  int      // member that answers
}

type what int

const (
	arrival what = iota
	answer
	wake
)

func (e *event) before(other *event) bool {
	return e.at < other.at || e.at == other.at && e.order < other.order
}

// events is a heap of events, the earliest first.
type events struct {
	heap   []event
	pushed int
}

func (h *events) push(e event) {
	e.order = h.pushed
	h.pushed++
	h.heap = append(h.heap, e)
	i := len(h.heap) - 1
	for up := (i - 1) / 2; i > 0 && e.before(&h.heap[up]); up = (i - 1) / 2 {
		h.heap[i] = h.heap[up]
		i = up
	}
	h.heap[i] = e
}

func (h *events) pop() (event, bool) {
	if len(h.heap) == 0 {
		return event{}, false
	}
	top := h.heap[0]
	n := len(h.heap) - 1
	last := h.heap[n]
	h.heap[n] = event{}
	h.heap = h.heap[:n]
	if n > 0 {
		h.sink(last)
	}
	return top, true
}

// sink puts e on top of the heap, and moves it down to its place.
func (h *events) sink(e event) {
	i, n := 0, len(h.heap)
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && h.heap[child+1].before(&h.heap[child]) {
			child++
		}
		if !h.heap[child].before(&e) {
			break
		}
		h.heap[i] = h.heap[child]
		i = child
	}
	h.heap[i] = e
}
