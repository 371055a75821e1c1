package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// finder opens an incident at every fifth record, and one more at another record.
type finder struct {
	taken int
	more  int // record at which a newer version finds one more; 0: it does not
}

func (f *finder) Take(_ bus.Record, say func(cluster.Kind, []byte)) error {
	f.taken++
	open := func(id string) error {
		data, err := cluster.Encode(cluster.Event{Time: int64(f.taken), Change: incident.Opened, Incident: incident.Incident{ID: id}})
		say(cluster.EventKind, data)
		return err
	}
	var err error
	if f.taken%5 == 0 {
		err = open(fmt.Sprint("incident", f.taken))
	}
	if f.taken == f.more {
		err = errors.Join(err, open("only the newer version finds it"))
	}
	return err
}

func (f *finder) Save() ([]byte, error) { return []byte{byte(f.taken)}, nil }

func (f *finder) View() ([]byte, error) { return nil, nil }

// opened lists the incidents of all events in a log.
func opened(t *testing.T, out bus.Log) (ids []string) {
	t.Helper()
	last, err := out.Last(t.Context(), "adder")
	if err != nil {
		t.Fatal(err)
	}
	r, err := out.Read(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		one, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := cluster.ParseOutput(one)
		if err != nil {
			t.Fatal(err)
		}
		if s.Kind == cluster.EventKind {
			e, err := cluster.Decode[cluster.Event](s.Data)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, e.Incident.ID)
		}
		if one.Seq == last.Seq {
			return ids
		}
	}
}

// TestUpgradedReplica: the node of a newer version, which does not read the saved state, tells nothing again, tells what
// only it finds, and continues. A node of an older version does not continue after it.
func TestUpgradedReplica(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := filled(t, b), open(t, b, "out")
	older := spec(b, in, out)
	older.New = func(saved []byte) (cluster.Task, error) { return &finder{}, nil }
	run := func(r cluster.Replica, fence uint64, until func([]string) bool) error {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx, fence) }()
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			select {
			case err := <-done:
				stop()
				return err
			default:
			}
			if last, err := out.Last(t.Context(), "adder"); err == nil && last.Seq > 0 && until(opened(t, out)) || time.Now().After(end) {
				stop() // it saves its state
				return <-done
			}
		}
	}
	if err := run(older, 1, func(ids []string) bool { return len(ids) == records/5 }); err != nil {
		t.Fatal(err)
	}
	before := opened(t, out)
	for i := range 10 {
		if err := in.Append(t.Context(), bus.Record{Subject: "x", Data: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	newer := spec(b, in, out)
	var reported []string
	newer.Report = func(text string) { reported = append(reported, text) }
	newer.New = func(saved []byte) (cluster.Task, error) {
		if saved != nil {
			return nil, errors.New("another form")
		}
		return &finder{more: 7}, nil
	}
	if err := run(newer, 2, func(ids []string) bool { return len(ids) >= records/5+3 }); err != nil {
		t.Fatal(err)
	}
	want := append(slices.Clone(before), "only the newer version finds it", "incident35", "incident40")
	if got := opened(t, out); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(reported) != 1 || !strings.Contains(reported[0], "the saved state of adder cannot be used: another form") {
		t.Errorf("%q", reported)
	}
	older.New = func(saved []byte) (cluster.Task, error) {
		if saved != nil {
			return nil, fmt.Errorf("%w (format 9)", engine.ErrNewer)
		}
		return &finder{}, nil
	}
	if err := older.Run(t.Context(), 3); !errors.Is(err, engine.ErrNewer) || !strings.Contains(err.Error(), "nodes with a newer version of limpet run this partition") {
		t.Errorf("the older version continues: %v", err)
	}
	if got := opened(t, out); !slices.Equal(got, want) {
		t.Errorf("the older version has written %q", got)
	}
}

// TestUpgradedAfterKill: the older node was killed when it had processed more records than its saved
// state includes. The newer node, which does not read the state, tells nothing again.
func TestUpgradedAfterKill(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := filled(t, b), open(t, b, "out")
	run := func(r cluster.Replica, fence uint64, until int) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx, fence) }()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if _, err := out.Last(t.Context(), "adder"); err == nil && len(opened(t, out)) >= until {
				break
			}
		}
		stop()
		<-done
	}
	older := spec(b, in, out)
	older.New = func([]byte) (cluster.Task, error) { return &finder{}, nil }
	run(older, 1, records/5)
	for i := range 10 {
		if err := in.Append(t.Context(), bus.Record{Subject: "x", Data: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	older.New = func(saved []byte) (cluster.Task, error) { return &unsaved{finder{taken: int(saved[0])}}, nil }
	run(older, 2, records/5+2)
	before := opened(t, out)
	for i := range 5 {
		if err := in.Append(t.Context(), bus.Record{Subject: "x", Data: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	newer := spec(b, in, out)
	newer.New = func(saved []byte) (cluster.Task, error) {
		if saved != nil {
			return nil, errors.New("another form")
		}
		return &finder{}, nil
	}
	run(newer, 3, records/5+3)
	if got, want := opened(t, out), append(slices.Clone(before), "incident45"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// unsaved is a finder whose node is killed before it saves.
type unsaved struct{ finder }

func (*unsaved) Save() ([]byte, error) { return nil, errors.New("the node is killed") }

// TestNewerRecord: a node of an older version stops at a record that a newer version has sent, and
// leaves the task to a newer node, which takes every record.
func TestNewerRecord(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := filled(t, b), open(t, b, "out")
	older := spec(b, in, out)
	older.New = func([]byte) (cluster.Task, error) { return &stopper{at: 13}, nil }
	if err := older.Run(t.Context(), 1); !errors.Is(err, plan.ErrNewer) || !strings.Contains(err.Error(), "nodes with a newer version of limpet run this partition") {
		t.Errorf("the older version continues: %v", err)
	}
	if got := opened(t, out); !slices.Equal(got, []string{"incident5", "incident10"}) {
		t.Errorf("the older version has written %q", got)
	}
	newer := spec(b, in, out)
	newer.New = func(saved []byte) (cluster.Task, error) {
		if saved != nil {
			return &finder{taken: int(saved[0])}, nil
		}
		return &finder{}, nil
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- newer.Run(ctx, 2) }()
	for end := time.Now().Add(time.Minute); len(opened(t, out)) < records/5 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := opened(t, out); len(got) != records/5 || got[2] != "incident15" {
		t.Errorf("%q", got)
	}
}

// stopper is a finder that meets a record of a newer version.
type stopper struct {
	finder
	at int
}

func (s *stopper) Take(r bus.Record, say func(cluster.Kind, []byte)) error {
	if s.taken+1 == s.at {
		return fmt.Errorf("%w (the data have format 9)", plan.ErrNewer)
	}
	return s.finder.Take(r, say)
}
