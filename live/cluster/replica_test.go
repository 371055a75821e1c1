package cluster_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// adder is a task whose output is the sum of its input, and for every third record their number.
type adder struct{ sum, taken uint64 }

func (a *adder) Take(r bus.Record, say func(cluster.Kind, []byte)) error {
	a.sum += uint64(r.Data[0])
	a.taken++
	say(1, fmt.Append(nil, a.sum))
	if a.taken%3 == 0 {
		say(2, fmt.Append(nil, a.taken))
	}
	return nil
}

func (a *adder) Save() ([]byte, error) {
	return binary.AppendUvarint(binary.AppendUvarint(nil, a.sum), a.taken), nil
}

func (a *adder) View() ([]byte, error) { return nil, nil }

func newAdder(saved []byte) (cluster.Task, error) {
	a := &adder{}
	if saved != nil {
		var n int
		a.sum, n = binary.Uvarint(saved)
		a.taken, _ = binary.Uvarint(saved[n:])
	}
	return a, nil
}

// limited is a log that fails after a number of records, as for a killed process.
type limited struct {
	bus.Log
	left int
}

var errKilled = errors.New("killed")

func (l *limited) Put(ctx context.Context, r bus.Record, last uint64) (uint64, error) {
	if l.left--; l.left < 0 {
		return 0, errKilled
	}
	r.ID = "" // the log remembers IDs for a while only: the replica has to skip what it has written
	return l.Log.Put(ctx, r, last)
}

func open(tb testing.TB, b *bus.Bus, name string) bus.Log {
	tb.Helper()
	log, err := b.Logs.Open(context.Background(), name, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return log
}

func spec(b *bus.Bus, in, out bus.Log) cluster.Replica {
	return cluster.Replica{Name: "adder", In: in, Out: out, Blobs: b.Blobs, New: newAdder, SaveEvery: 0, ShowEvery: 5 * time.Millisecond, Now: time.Now, Report: func(string) {}}
}

// said lists all outputs of a log except claims.
func said(tb testing.TB, out bus.Log, subject string) (list []string) {
	tb.Helper()
	last, err := out.Last(context.Background(), subject)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := out.Read(context.Background(), 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	for {
		one, err := r.Next(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		s, err := cluster.ParseOutput(one)
		if err != nil {
			tb.Fatal(err)
		}
		if s.Kind != cluster.ClaimKind {
			list = append(list, fmt.Sprintf("%d:%d:%s", s.Number, s.Kind, s.Data))
		}
		if one.Seq == last.Seq {
			return list
		}
	}
}

const records = 30

func filled(tb testing.TB, b *bus.Bus) bus.Log {
	tb.Helper()
	in := open(tb, b, "in")
	for i := range records {
		if err := in.Append(context.Background(), bus.Record{Subject: "x", Data: []byte{byte(i)}}); err != nil {
			tb.Fatal(err)
		}
	}
	return in
}

// TestSaidOnce: after any number of kills, and from any snapshot, a task writes every output once and
// in order.
func TestSaidOnce(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	whole := open(t, b, "whole")
	runningReplica(t, spec(b, filled(t, b), whole), 1)
	want := said(t, whole, "adder")
	if len(want) != records+records/3 {
		t.Fatalf("%d records: %v", len(want), want)
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for round := range 50 {
		b := bus.NewLocal(time.Now, time.Minute)
		in, out := filled(t, b), open(t, b, "out")
		for fence := uint64(1); ; fence++ {
			s := spec(b, in, &limited{out, 1 + rng.IntN(9)}) // a claim, and up to eight outputs
			if rng.IntN(2) == 0 {
				s.SaveEvery = time.Hour
			}
			err := s.Run(ended(out), fence)
			if !errors.Is(err, errKilled) {
				break
			}
		}
		if got := said(t, out, "adder"); !slices.Equal(got, want) {
			t.Fatalf("round %d: %s\nwant %s", round, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

// ended returns a context that ends when all output is written.
func ended(out bus.Log) context.Context {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer stop()
		for {
			last, err := out.Last(ctx, "adder")
			if s, bad := cluster.ParseOutput(last); err == nil && bad == nil && s.Number >= records+records/3 {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return ctx
}

func runningReplica(tb testing.TB, s cluster.Replica, fence uint64) {
	tb.Helper()
	if err := s.Run(ended(s.Out), fence); err != nil {
		tb.Fatal(err)
	}
}

// TestStoppedWhileSpeaking: a task that is stopped between taking a record and writing its output is
// not saved in that state: the output would be lost.
func TestStoppedWhileSpeaking(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := filled(t, b), open(t, b, "out")
	for fence := uint64(1); fence < 8; fence++ { // they write 21 outputs in all
		ctx, stop := context.WithCancel(context.Background())
		s := spec(b, in, &stopping{out, int(fence), stop})
		s.SaveEvery = time.Hour // saved only when it stops
		if err := s.Run(ctx, fence); err != nil {
			t.Fatal(err)
		}
	}
	runningReplica(t, spec(b, in, out), 100)
	list := said(t, out, "adder")
	for i, one := range list {
		if !strings.HasPrefix(one, fmt.Sprintf("%d:", i+1)) {
			t.Fatalf("record %d is %s", i+1, one)
		}
	}
	if len(list) != records+records/3 {
		t.Errorf("%d records were said", len(list))
	}
}

// stopping is a log whose writer is stopped at one of its records.
type stopping struct {
	bus.Log
	left int
	stop func()
}

func (l *stopping) Put(ctx context.Context, r bus.Record, last uint64) (uint64, error) {
	if l.left--; l.left < 0 {
		l.stop()
		return 0, ctx.Err()
	}
	return l.Log.Put(ctx, r, last)
}

// TestFenced: a replica that was paused and has lost its lease can no longer write, and a replica with
// an old lease is refused.
func TestFenced(t *testing.T) {
	b := bus.NewLocal(time.Now, time.Minute)
	in, out := filled(t, b), open(t, b, "out")
	paused := &pausing{Log: out, at: 5, wait: make(chan struct{}), here: make(chan struct{})}
	result := make(chan error)
	go func() { result <- spec(b, in, paused).Run(context.Background(), 1) }()
	<-paused.here
	runningReplica(t, spec(b, in, out), 2)
	close(paused.wait)
	if err := <-result; !errors.Is(err, cluster.ErrFenced) {
		t.Errorf("who was paused ends with %v", err)
	}
	want := said(t, out, "adder")
	if len(want) != records+records/3 {
		t.Errorf("%d records were said", len(want))
	}
	if err := spec(b, in, out).Run(context.Background(), 1); !errors.Is(err, cluster.ErrFenced) {
		t.Errorf("an old lease ends with %v", err)
	}
}

// pausing is a log whose writer pauses before one of its records.
type pausing struct {
	bus.Log
	at   int
	wait chan struct{}
	here chan struct{}
}

func (p *pausing) Put(ctx context.Context, r bus.Record, last uint64) (uint64, error) {
	if p.at--; p.at == 0 {
		close(p.here)
		<-p.wait
	}
	return p.Log.Put(ctx, r, last)
}
