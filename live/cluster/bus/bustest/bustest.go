package bustest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// patience is the time limit for all tests of a bus.
const patience = time.Minute

// Test tests whether b behaves as package bus describes.
func Test(t *testing.T, b *bus.Bus) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	t.Run("log", func(t *testing.T) { testLog(ctx, t, b) })
	t.Run("put", func(t *testing.T) { testPut(ctx, t, b) })
	t.Run("leases", func(t *testing.T) { testLeases(ctx, t, b) })
	t.Run("blobs", func(t *testing.T) { testBlobs(ctx, t, b) })
}

func open(ctx context.Context, t *testing.T, b *bus.Bus, name string) bus.Log {
	t.Helper()
	log, err := b.Logs.Open(ctx, name, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// testLog tests that a reader gets each record once, in the order in which the records were
// appended. The reader may begin at any position.
func testLog(ctx context.Context, t *testing.T, b *bus.Bus) {
	log := open(ctx, t, b, "log")
	var want []string
	for i := range 20 {
		subject, id := fmt.Sprintf("s%d", i%3), fmt.Sprint("id", i)
		r := bus.Record{Subject: subject, ID: id, Data: fmt.Append(nil, i)}
		if err := log.Append(ctx, r, r); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(subject, " ", id, " ", i))
	}
	for _, after := range []uint64{0, 7} {
		if got := read(ctx, t, log, after, 20-int(after)); !slices.Equal(got, want[after:]) {
			t.Errorf("behind %d: %v, want %v", after, got, want[after:])
		}
	}
	last, err := log.Last(ctx, "s1")
	if err != nil || string(last.Data) != "19" || last.Seq != 20 || last.Time.IsZero() {
		t.Errorf("the last of a subject is %+v, %v", last, err)
	}
	if _, err := log.Last(ctx, "nobody"); !errors.Is(err, bus.ErrNone) {
		t.Errorf("the last of nobody: %v", err)
	}
}

func read(ctx context.Context, t *testing.T, log bus.Log, after uint64, n int) (list []string) {
	t.Helper()
	r, err := log.Read(ctx, after)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range n {
		one, err := r.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(one.Subject, " ", one.ID, " ", string(one.Data)))
	}
	return list
}

// testPut tests that only one of two writers succeeds if both expect the same last record. The log
// ignores a record with an ID that it already has, so writers must not share IDs.
func testPut(ctx context.Context, t *testing.T, b *bus.Bus) {
	log := open(ctx, t, b, "put")
	first, err := log.Put(ctx, bus.Record{Subject: "a", ID: "1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Put(ctx, bus.Record{Subject: "b", ID: "other"}, 0); err != nil {
		t.Errorf("another subject: %v", err)
	}
	second, err := log.Put(ctx, bus.Record{Subject: "a", ID: "2"}, first)
	if err != nil || second <= first {
		t.Errorf("behind %d: %d, %v", first, second, err)
	}
	for _, last := range []uint64{0, first} {
		if _, err := log.Put(ctx, bus.Record{Subject: "a", ID: fmt.Sprint("late", last)}, last); !errors.Is(err, bus.ErrConflict) {
			t.Errorf("behind %d, which is not the last: %v", last, err)
		}
	}
}

// testLeases tests that a lease has one holder, expires, and can be released.
func testLeases(ctx context.Context, t *testing.T, b *bus.Bus) {
	mine, err := b.Leases.Acquire(ctx, "machine.a", "me")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Leases.Acquire(ctx, "machine.a", "you"); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("a lease that is held is taken: %v", err)
	}
	renewed, err := b.Leases.Renew(ctx, mine)
	if err != nil || renewed.Fence != mine.Fence {
		t.Errorf("%+v is renewed to %+v, %v", mine, renewed, err)
	}
	if _, err := b.Leases.Renew(ctx, mine); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("a lease is renewed that was since: %v", err)
	}
	if held, err := b.Leases.Held(ctx); err != nil || !slices.Contains(held, "machine.a") {
		t.Errorf("held are %v, %v", held, err)
	}
	var next bus.Lease
	for next, err = b.Leases.Acquire(ctx, "machine.a", "you"); err != nil; next, err = b.Leases.Acquire(ctx, "machine.a", "you") {
		if ctx.Err() != nil {
			t.Fatal("a lease does not end")
		}
		time.Sleep(b.LeaseTime / 10)
	}
	if next.Fence <= renewed.Fence {
		t.Errorf("the later holder has the fence %d, the earlier one %d", next.Fence, renewed.Fence)
	}
	if _, err := b.Leases.Renew(ctx, renewed); !errors.Is(err, bus.ErrConflict) {
		t.Errorf("a lease is renewed that is another's: %v", err)
	}
	if err := b.Leases.Release(ctx, next); err != nil {
		t.Error(err)
	}
	if _, err := b.Leases.Acquire(ctx, "machine.a", "me"); err != nil {
		t.Errorf("a lease that was given back: %v", err)
	}
}

// testBlobs tests that a blob holds the last value that was put, for small and large values. The
// mark of the blob must change when the value changes.
func testBlobs(ctx context.Context, t *testing.T, b *bus.Bus) {
	if _, err := b.Blobs.Get(ctx, "none"); !errors.Is(err, bus.ErrNone) {
		t.Errorf("a blob that there is not: %v", err)
	}
	if _, err := b.Blobs.Mark(ctx, "none"); !errors.Is(err, bus.ErrNone) {
		t.Errorf("the mark of a blob that there is not: %v", err)
	}
	marks := map[string]bool{}
	for _, size := range []int{0, 10, 3 << 20} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * 7)
		}
		if err := b.Blobs.Put(ctx, "state.a", want); err != nil {
			t.Fatal(err)
		}
		got, err := b.Blobs.Get(ctx, "state.a")
		for err != nil && ctx.Err() == nil { // on a busy machine a read may fail: read again
			got, err = b.Blobs.Get(ctx, "state.a")
		}
		mark, err2 := b.Blobs.Mark(ctx, "state.a")
		if err := errors.Join(err, err2); err != nil || !slices.Equal(got, want) || marks[mark] {
			t.Errorf("%d bytes: %d bytes, mark %q, %v", size, len(got), mark, err)
		}
		marks[mark] = true
	}
}
