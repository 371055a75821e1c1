package replay

import (
	"errors"
	"io"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// endless is a trace that does not end, all of it at once.
type endless struct{ left int }

func (e *endless) Next() (Record, error) {
	if e.left == 0 {
		return Record{}, io.EOF
	}
	e.left--
	return Record{Length: chunk}, nil
}

// TestLoad: as many requests as memory holds are read, and none more.
func TestLoad(t *testing.T) {
	o := Default()
	o.MemoryBytes = 1 << 20
	most := o.MaxRequests()
	if bytes := int64(most) * int64(requestBytes+latencyBytes*(len(o.Policies)+2)); bytes > o.MemoryBytes || bytes < o.MemoryBytes*9/10 {
		t.Errorf("%d requests take %d bytes", most, bytes)
	}
	if records, err := o.Load(&endless{most}); err != nil || len(records) != most {
		t.Errorf("%d requests, %v", len(records), err)
	}
	if _, err := o.Load(&endless{-1}); !errors.Is(err, ErrMemory) {
		t.Errorf("an endless trace: %v", err)
	}
}

// TestAllAtOnce: requests that come faster than drives answer end the replay
// before they fill memory, unless as many are kept going as are borne.
func TestAllAtOnce(t *testing.T) {
	o := Default()
	o.MemoryBytes = 1 << 20
	o.Policies = []policy.Options{policy.Default(policy.Normal)}
	records, err := o.Load(&endless{o.maxFlying() + 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Virtual(t.Context(), "", records, o, nil); !errors.Is(err, ErrMemory) {
		t.Errorf("%d at once: %v", len(records), err)
	}
	o.Depth = o.maxFlying()
	if _, err := Virtual(t.Context(), "", records, o, nil); err != nil {
		t.Error(err)
	}
}

// TestQueueOfOne: a queue that is never empty takes no more than what waits.
func TestQueueOfOne(t *testing.T) {
	var m simulated
	parts := [2]*part{{}, {}}
	m.queue = append(m.queue, parts[1])
	for i := range 10_000 {
		m.queue = append(m.queue, parts[i%2])
		if got := m.next(); got != parts[(i+1)%2] {
			t.Fatalf("%d: out of order", i)
		}
	}
	if n := cap(m.queue); n > 8 {
		t.Errorf("room for %d", n)
	}
}
