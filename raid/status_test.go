package raid

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

func TestStatus(t *testing.T) {
	drives, _ := written(t)
	drives[1] = nil
	drives[4] = nil
	drives[3].name = "cached"
	a := openDrives(t, drives, policy.Adaptive)
	defer a.Close()
	if err := a.Replace(4, newDrive("new", testGeometry.MemberSize()), false); err != nil {
		t.Fatal(err)
	}
	s := a.Status()
	var states []string
	for _, m := range s.Members {
		states = append(states, m.Role+" "+m.Name+" "+string(m.State))
	}
	want := []string{"0 drive0 active", "1 none lost", "2 drive2 active", "3 cached active", "P new rebuilding", "Q drive5 active"}
	if !slices.Equal(states, want) {
		t.Errorf("%q, want %q", states, want)
	}
	if w := strings.Join(s.Warnings, "\n"); len(s.Warnings) != 3 || !strings.Contains(w, "member 1 (none) is lost") ||
		!strings.Contains(w, "member 3 (cached) does not support direct I/O") || !strings.Contains(w, "member P (new) is not yet rebuilt") {
		t.Error(w)
	}
}

func TestInspect(t *testing.T) {
	drives, _ := written(t)
	without(t, drives, 2)
	got, err := Inspect(drives[5])
	if err != nil || got.Place != 5 || got.Role != "Q" || got.Geometry != testGeometry || !got.Clean || got.Event != 5 || !slices.Equal(got.Lost, []int{2}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Inspect(newDrive("blank", 100)); !errors.Is(err, ErrNoArray) {
		t.Error(err)
	}
}

// TestCounters: reads go around a member that is slow, and that is counted.
func TestCounters(t *testing.T) {
	drives, _ := written(t)
	a := openDrives(t, drives, policy.Proactive1)
	defer a.Close()
	before := a.Counters()
	readAll(t, a)
	after := a.Counters()
	if n := after.Requests - before.Requests; n != 5 { // 24 stripes in windows of 5
		t.Errorf("%d requests", n)
	}
	if reads, extra := after.Reads-before.Reads, after.Extra-before.Extra; reads != 25 || extra != 5 {
		t.Errorf("%d reads, of which %d extra", reads, extra)
	}
}

// TestExamine sees what Open would, and writes nothing.
func TestExamine(t *testing.T) {
	drives, _ := written(t)
	without(t, drives, 2)
	before := cloneAll(drives)
	stale := membersOf(drives)
	if _, err := Examine(stale); !errors.Is(err, ErrStale) {
		t.Errorf("a stale member: %v", err)
	}
	stale[2] = nil
	s, err := Examine(stale)
	if err != nil || s.Array == (ID{}) || s.Geometry != testGeometry || !s.Clean || s.Members[2].State != Lost || s.Members[3].State != Active {
		t.Errorf("%+v, %v", s, err)
	}
	stale[0], stale[5] = nil, nil
	if _, err := Examine(stale); !errors.Is(err, ErrMissing) {
		t.Errorf("three missing: %v", err)
	}
	for i, d := range drives {
		if !bytes.Equal(d.content, before[i].content) {
			t.Errorf("%s was written to", d)
		}
	}
}
