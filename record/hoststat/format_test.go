package hoststat

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func whole() Sample {
	return Sample{
		LateMicros: 2_300_000,
		Pressure:   [NumResources]Pressure{CPU: {17, 0}, IO: {2582893857, 765535980}, Memory: {1, 2}},
		RunDelayNs: 1 << 60,
		Tasks:      Tasks{Blocked: 3, Looked: true, Stopped: 12, Waits: []Wait{{"io_schedule", 3}, {"rwsem_down_write_slowpath", 1}}},
		Accepted:   Queues{12, 65536, 4, 3, 1800, 0, 7, 2, 1, 99},
		Dialled:    Queues{Sockets: 5, Read: 1 << 40},
		Completed:  4711,
		InFlight:   []InFlight{{8, 16, 32, 0}, {259, 1<<32 - 1, 1, 7}},
		FileSystems: []FileSystem{
			{8, 16, 1 << 40, 1 << 20, 1000, 0, "/bricks/b1"},
			{259, 3, 5, 4, 0, 0, "/"},
		},
		Drives: []Drive{{259, 0, -5000, 84850, true}, {259, 3, 41850, 0, false}},
	}
}

// TestRoundTrip: a sample comes back as it was, from memory that held another one.
func TestRoundTrip(t *testing.T) {
	want := whole()
	held := whole()
	for _, s := range []Sample{want, {}, {Tasks: Tasks{Looked: true}}, {Accepted: Queues{Sockets: 3}}} {
		if err := Decode(Append(nil, &s), &held); err != nil {
			t.Fatal(err)
		}
		if got := Append(nil, &held); !bytes.Equal(got, Append(nil, &s)) {
			t.Errorf("%+v comes back as %+v", s, held)
		}
	}
	var got Sample
	if err := Decode(Append(nil, &want), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v comes back as %+v, %v", want, got, err)
	}
	if n := len(Append(nil, &Sample{})); n != 0 {
		t.Errorf("a sample without anything takes %d bytes", n)
	}
}

// TestLaterVersions: a reader skips sections that it does not know, and numbers at the end of a section.
func TestLaterVersions(t *testing.T) {
	b := section(nil, 99, 1, 2, 3)
	b = section(b, tagRunDelay, 5, 6)
	b = section(b, tagAccepted, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	var s Sample
	if err := Decode(b, &s); err != nil {
		t.Fatal(err)
	}
	if s.RunDelayNs != 5 || s.Accepted.ClosedThere != 9 {
		t.Errorf("%+v", s)
	}
}

// TestDamage: a sample that was cut off is an error, or a shorter sample that is whole.
func TestDamage(t *testing.T) {
	want := whole()
	b := Append(nil, &want)
	failed := 0
	for n := range b {
		var s Sample
		if err := Decode(b[:n], &s); err != nil {
			failed++
			if !strings.Contains(err.Error(), "0x687374") {
				t.Fatalf("%v", err)
			}
		}
	}
	if sections := 12; failed < len(b)-sections {
		t.Errorf("%d of %d cuts are found", failed, len(b))
	}
	if err := Decode([]byte{tagInFlight, 3, 0xff, 0xff, 0xff}, &Sample{}); err == nil {
		t.Error("numbers without an end are no error")
	}
}

func TestTooLong(t *testing.T) {
	s := Sample{RunDelayNs: 7}
	for i := range 20000 {
		s.InFlight = append(s.InFlight, InFlight{8, uint32(i), 1, 0})
	}
	s.FileSystems = []FileSystem{{Major: 8, Mount: strings.Repeat("x", 5000)}}
	var got Sample
	if err := Decode(Append(nil, &s), &got); err != nil || got.RunDelayNs != 7 || len(got.InFlight) != 0 || len(got.FileSystems[0].Mount) != maxText {
		t.Errorf("%d in flight, %v", len(got.InFlight), err)
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	s := whole()
	buf := Append(nil, &s)
	if n := testing.AllocsPerRun(100, func() { buf = Append(buf[:0], &s) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	s := whole()
	f.Add(Append(nil, &s))
	f.Add([]byte{tagDrive, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s, again Sample
		if Decode(b, &s) != nil {
			return
		}
		if err := Decode(Append(nil, &s), &again); err != nil {
			t.Fatalf("a sample that was read cannot be read again: %v", err)
		}
	})
}
