package torture

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// heard is all that machines have said, in the order of the log.
type heard struct {
	said   map[string][]cluster.Output // by machine, without claims
	claims map[string][]cluster.Output
	reader bus.Reader
	seq    uint64 // of the last record
}

func listen(ctx context.Context, b *bus.Bus) (*heard, error) {
	log, err := b.Logs.Open(ctx, cluster.OutputLog, cluster.DefaultLogRetention().Output)
	if err != nil {
		return nil, err
	}
	r, err := log.Read(ctx, 0)
	return &heard{said: map[string][]cluster.Output{}, claims: map[string][]cluster.Output{}, reader: r}, err
}

// next takes the next record of the log.
func (h *heard) next(ctx context.Context) error {
	r, err := h.reader.Next(ctx)
	if err != nil {
		return err
	}
	h.seq = r.Seq
	s, err := cluster.ParseOutput(r)
	if err != nil {
		return err
	}
	if s.Kind == cluster.ClaimKind {
		h.claims[s.Task] = append(h.claims[s.Task], s)
	} else {
		h.said[s.Task] = append(h.said[s.Task], s)
	}
	return nil
}

// until listens until something holds.
func (h *heard) until(ctx context.Context, holds func() bool) error {
	for !holds() {
		if err := h.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// has says whether machines have said as much as they did elsewhere.
func (h *heard) has(want *heard) bool {
	for machine, said := range want.said {
		if len(h.said[machine]) < len(said) {
			return false
		}
	}
	return true
}

func (h *heard) events() (n int) {
	for _, said := range h.said {
		for i := range said {
			if said[i].Kind == cluster.EventKind {
				n++
			}
		}
	}
	return n
}

// checkNumbers fails where something is missing, doubled or out of order.
func (h *heard) checkNumbers(tb testing.TB) {
	tb.Helper()
	for machine, said := range h.said {
		for i := range said {
			if said[i].Number != uint64(i+1) {
				tb.Errorf("%s: record %d has the number %d, place %d, of fence %d; before it place %d; claims %v", machine, i+1, said[i].Number, said[i].Seq, said[i].Fence, said[max(i-1, 0)].Seq, places(h.claims[machine]))
				break
			}
		}
	}
}

// checkSame fails where machines have said something else than elsewhere.
func (h *heard) checkSame(tb testing.TB, want *heard) {
	tb.Helper()
	for machine, all := range want.said {
		got := h.said[machine]
		if len(got) != len(all) {
			tb.Errorf("%s: %d records, want %d", machine, len(got), len(all))
		}
		for i := range min(len(got), len(all)) {
			if err := sameSaid(&got[i], &all[i]); err != nil {
				tb.Errorf("%s: record %d: %v", machine, i+1, err)
				break
			}
		}
	}
}

func sameSaid(got, want *cluster.Output) error {
	if got.Kind != want.Kind {
		return fmt.Errorf("kind %d, want %d", got.Kind, want.Kind)
	}
	if got.Kind == cluster.EventKind && !bytes.Equal(again(got.Data), again(want.Data)) {
		a, _ := cluster.Decode[cluster.Event](got.Data)
		b, _ := cluster.Decode[cluster.Event](want.Data)
		return fmt.Errorf("an event differs: %s, want %s\n%+v\nwant %+v", text(got), text(want), a, b)
	}
	return nil
}

// again is an event as this process writes it: gob numbers types as they come up.
func again(data []byte) []byte {
	e, err := cluster.Decode[cluster.Event](data)
	if err != nil {
		return []byte(err.Error())
	}
	data, err = cluster.Encode(e)
	if err != nil {
		return []byte(err.Error())
	}
	return data
}

func text(s *cluster.Output) string {
	e, err := cluster.Decode[cluster.Event](s.Data)
	if err != nil {
		return err.Error()
	}
	one := event(e)
	return one.text()
}

// event is one that can be printed.
type event cluster.Event

func (e *event) text() string {
	return fmt.Sprintf("%d %s %s %s %v", e.Time, e.Change, e.Incident.ID, e.Incident.Kind, e.Incident.Place)
}

// latest is how long an event was said at most after its cause, or after whoever said it
// had taken over, whichever was later.
func (h *heard) latest() (worst time.Duration) {
	for machine, said := range h.said {
		for i := range said {
			from := said[i].Cause
			for _, c := range h.claims[machine] {
				if c.Seq < said[i].Seq && c.Time.After(from) {
					from = c.Time
				}
			}
			if said[i].Kind == cluster.EventKind {
				worst = max(worst, said[i].Time.Sub(from))
			}
		}
	}
	return worst
}

// lastRow is how far a machine has come.
func lastRow(ctx context.Context, b *bus.Bus, machine string) int64 {
	data, err := b.Blobs.Get(ctx, cluster.ViewName(machine))
	if err != nil {
		return 0
	}
	s, err := cluster.Decode[cluster.View](data)
	if err != nil {
		return 0
	}
	return s.Row
}

// places are those of records in the log, with numbers and fences.
func places(list []cluster.Output) (out [][3]uint64) {
	for i := range list {
		out = append(out, [3]uint64{list[i].Seq, list[i].Number, list[i].Fence})
	}
	return out
}
