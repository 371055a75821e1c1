package raid

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// sitOut is a mask of a member.
func sitOut(member int) Mask {
	return Mask{
		Member: member, How: policy.MaskSitOut, Incident: "ec082432", Why: "12 times slower than its peers", By: "limpet",
		Since: time.Date(2026, 3, 1, 2, 30, 15, 999, time.UTC),
	}
}

func mask(t *testing.T, a *Array, m Mask) {
	t.Helper()
	if changed, err := a.Mask(m); err != nil || !changed {
		t.Fatalf("mask of member %d: changed %v, %v", m.Member, changed, err)
	}
}

// openUnprobed opens an array that does not probe masked members.
func openUnprobed(t *testing.T, drives []*drive, kind policy.Kind) *Array {
	t.Helper()
	o := testOptions(kind)
	o.Masks.ProbeShare = 0
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// countIO counts the reads and writes of each drive from now on.
func countIO(drives []*drive) (reads, writes []atomic.Int64) {
	reads, writes = make([]atomic.Int64, len(drives)), make([]atomic.Int64, len(drives))
	for i, d := range drives {
		d.faults = func(op string) (time.Duration, error) {
			switch op {
			case "read":
				reads[i].Add(1)
			case "write":
				writes[i].Add(1)
			}
			return 0, nil
		}
	}
	return reads, writes
}

// TestMaskedMemberIsNotRead: under every policy reads get the right bytes without the member,
// also after the array was opened again; writes reach it; and unmasked it is read.
func TestMaskedMemberIsNotRead(t *testing.T) {
	for _, kind := range policy.Kinds() {
		drives, held := written(t)
		a := openUnprobed(t, drives, kind)
		mask(t, a, sitOut(2))
		reads, writes := countIO(drives)
		check := func(when string) {
			t.Helper()
			if !bytes.Equal(readAll(t, a), held) {
				t.Fatalf("%s, %s: the array holds something else", kind, when)
			}
			for at := int64(0); at < a.Size(); at += 3 * ChunkSize { // parts of stripes, aligned
				p := make([]byte, ChunkSize)
				if _, err := a.ReadAt(p, at); err != nil || !bytes.Equal(p, held[at:at+ChunkSize]) {
					t.Fatalf("%s, %s: a chunk at %d: %v", kind, when, at, err)
				}
			}
		}
		check("masked")
		if n := reads[2].Load(); n != 0 {
			t.Errorf("%s: %d reads of the masked member", kind, n)
		}
		copy(held, noise(9, 5*ChunkSize))
		if _, err := a.WriteAt(held[:5*ChunkSize], 0); err != nil || writes[2].Load() == 0 {
			t.Errorf("%s: %d writes of the masked member, %v", kind, writes[2].Load(), err)
		}
		table := reads[2].Load() // of the block of checksums that the write changes
		if table > 1 {
			t.Errorf("%s: %d reads of the masked member for a write", kind, table)
		}
		check("written")
		if n := reads[2].Load(); n != table {
			t.Errorf("%s: %d reads of the masked member after a write", kind, n-table)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		drives = cloneAll(drives)
		a = openUnprobed(t, drives, kind)
		want := sitOut(2)
		want.Since = want.Since.Truncate(time.Second)
		if got := a.Masks(); len(got) != 1 || got[0].Mask != want || got[0].Suspended {
			t.Fatalf("%s: after a restart %+v, want %+v", kind, got, want)
		}
		reads, _ = countIO(drives)
		check("opened again")
		if n := reads[2].Load(); n != 0 {
			t.Errorf("%s: %d reads of the masked member after a restart", kind, n)
		}
		if ended, err := a.Unmask(2, ""); err != nil || ended == nil || *ended != want {
			t.Fatalf("%s: unmasked %+v, %v", kind, ended, err)
		}
		before := a.Counters()
		check("unmasked")
		if after := a.Counters(); after.Masked != before.Masked || kind == policy.Normal && after.Extra != before.Extra {
			t.Errorf("%s: reads for a mask that has ended: %+v", kind, after)
		}
		if reads[2].Load() == 0 {
			t.Errorf("%s: the member is not read after its mask has ended", kind)
		}
		checkScrub(t, a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		checkBuffers(t, a)
	}
}

// TestMaskGuards: what is refused, and with which words; nothing changes then.
func TestMaskGuards(t *testing.T) {
	drives, _ := written(t)
	a := openDrives(t, drives, policy.Adaptive)
	mask(t, a, sitOut(2))
	event := a.Status().Event
	if changed, err := a.Mask(sitOut(2)); changed || err != nil {
		t.Errorf("the same mask again: %v, %v", changed, err)
	}
	if ended, err := a.Unmask(1, ""); ended != nil || err != nil {
		t.Errorf("a member without a mask: %v, %v", ended, err)
	}
	if _, err := a.Unmask(2, "another"); !errors.Is(err, ErrOtherMask) || !strings.Contains(err.Error(), "member 2 stays masked: the mask belongs to another incident (incident: ec082432)") {
		t.Errorf("the mask of another incident: %v", err)
	}
	if a.Status().Event != event {
		t.Errorf("event %d became %d, though nothing changed", event, a.Status().Event)
	}
	mask(t, a, sitOut(5)) // parity replaces two
	for _, test := range []struct {
		edit func(m *Mask)
		want string
	}{
		{func(*Mask) {}, "member 1 cannot be masked: too few members would be left for reads: lost members: 0, masked members: 2; parity can replace only 2 members: end a mask, or rebuild a member"},
		{func(m *Mask) { m.Member = 6 }, "the array does not have member 6: give a number from 0 to 5"},
		{func(m *Mask) { m.Member = -1 }, "the array does not have member -1"},
		{func(m *Mask) { m.How = "away" }, `the kind of mask "away" is unknown`},
		{func(m *Mask) { m.Why = strings.Repeat("x", 257) }, "the text of the reason of a mask has 257 bytes: give at most 256 bytes"},
		{func(m *Mask) { m.Incident = "a\nb" }, "has characters that cannot be printed"},
		{func(m *Mask) { m.By = "\xff" }, "has characters that cannot be printed"},
		{func(m *Mask) { m.Since = time.Time{} }, "a mask cannot begin in the year 1"},
	} {
		m := sitOut(1)
		test.edit(&m)
		if changed, err := a.Mask(m); changed || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, %v, want %s", m, changed, err, test.want)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMaskAndLoss: a mask ends with its member; while a member is rebuilt, nobody is masked;
// and where so many are lost that the masked member is needed, it is read.
func TestMaskAndLoss(t *testing.T) {
	drives, held := written(t)
	var told []string
	o := testOptions(policy.Adaptive)
	o.Report = func(err error) { told = append(told, err.Error()) }
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	mask(t, a, sitOut(1))
	mask(t, a, sitOut(2))
	dead := errors.New("dead")
	drives[1].faults = func(string) (time.Duration, error) { return 0, dead }
	if _, err := a.WriteAt(held[:10], 0); err != nil {
		t.Fatal(err)
	}
	if got := a.Masks(); len(got) != 1 || got[0].Member != 2 || got[0].Suspended {
		t.Errorf("after the loss of a masked member: %+v", got)
	}
	if text := strings.Join(told, "\n"); !strings.Contains(text, "member 1 (drive1): the member is lost, so it is no longer masked") {
		t.Errorf("reported: %s", text)
	}
	if _, err := a.Mask(sitOut(1)); !errors.Is(err, ErrNotActive) {
		t.Errorf("a lost member is masked: %v", err)
	}
	if _, err := a.Mask(sitOut(3)); !errors.Is(err, ErrTooFewMembers) {
		t.Errorf("one is lost and one masked, and another is masked: %v", err)
	}
	drives[4].faults = drives[1].faults
	if _, err := a.WriteAt(held[:10], 0); err != nil {
		t.Fatal(err)
	}
	if got := a.Masks(); len(got) != 1 || !got[0].Suspended {
		t.Errorf("two are lost: %+v", got)
	}
	if !bytes.Equal(readAll(t, a), held) {
		t.Error("the array holds something else")
	}
	if err := a.Replace(4, newDrive("new", testGeometry.MemberSize()), false); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Mask(sitOut(0)); !errors.Is(err, ErrRebuildRuns) {
		t.Errorf("a member is masked while another is rebuilt: %v", err)
	}
	if err := a.Rebuild(t.Context(), RebuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := a.Masks(); len(got) != 1 || got[0].Suspended {
		t.Errorf("after the rebuild: %+v", got)
	}
}

// TestMaskOfMissing: a member that is not there when the array is opened loses its mask, and
// an array that is only read keeps the masks of the others.
func TestMaskOfMissing(t *testing.T) {
	drives, held := written(t)
	a := openDrives(t, drives, policy.Adaptive)
	mask(t, a, sitOut(1))
	mask(t, a, sitOut(2))
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	drives = cloneAll(drives)
	drives[1] = nil
	o := testOptions(policy.Normal)
	o.ReadOnly = true
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got := a.Masks(); len(got) != 1 || got[0].Member != 2 {
		t.Errorf("%+v", got)
	}
	if _, err := a.Mask(sitOut(3)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a mask in an array that is only read: %v", err)
	}
	if !bytes.Equal(readAll(t, a), held) {
		t.Error("the array holds something else")
	}
}

// TestDamagedMasks: a record of masks that cannot be understood is reported and kept, reads go
// on, and the next command writes it anew.
func TestDamagedMasks(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(record []byte)
		want   string
	}{
		"version":       {func(b []byte) { b[0] = 9 }, "the record has version 9, but this version of limpet reads version 1"},
		"no version":    {func(b []byte) { b[0] = 0 }, "the record has version 0"},
		"number":        {func(b []byte) { b[4] = 3 }, "the record has 3 masks, but it must have 1 to 2 masks"},
		"member":        {func(b []byte) { b[8] = 77 }, "the array does not have member 77"},
		"kind":          {func(b []byte) { b[12] = 4 }, "the record has a mask of the unknown kind number 4"},
		"text":          {func(b []byte) { b[8+24] = 7 }, "has characters that cannot be printed"},
		"lost or never": {func(b []byte) { binary.LittleEndian.PutUint64(b[16:], 0) }, "a mask cannot begin in the year 1970"},
	} {
		drives, held := written(t)
		a := openDrives(t, drives, policy.Adaptive)
		mask(t, a, sitOut(2))
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		drives = cloneAll(drives)
		for _, d := range drives {
			for at := range superblocks {
				chunk := d.content[at*ChunkSize:][:ChunkSize]
				test.damage(chunk[maskRecordAt:])
				binary.LittleEndian.PutUint32(chunk[12:], checksumOf(chunk, 12))
			}
		}
		for range 2 { // it is kept
			a = openDrives(t, drives, policy.Adaptive)
			if w := strings.Join(a.Status().Warnings, "\n"); len(a.Masks()) != 0 || !strings.Contains(w, "no member is masked, because the saved list of masked members cannot be used") || !strings.Contains(w, test.want) {
				t.Errorf("%s: masks %+v, warnings %s", name, a.Masks(), w)
			}
			if _, err := a.WriteAt(held[:10], 0); err != nil || !bytes.Equal(readAll(t, a), held) {
				t.Errorf("%s: the array holds something else: %v", name, err)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			drives = cloneAll(drives)
		}
		a = openDrives(t, drives, policy.Adaptive)
		if _, err := a.Unmask(2, ""); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := Examine(membersOf(cloneAll(drives)))
		if err != nil || len(s.Warnings) != 0 {
			t.Errorf("%s: after a command: %q, %v", name, s.Warnings, err)
		}
	}
}

// TestMaskSurvivesPowerLoss: a mask that was acknowledged is there after a loss of power, on
// whatever sectors arrived.
func TestMaskSurvivesPowerLoss(t *testing.T) {
	for seed := range uint64(20) {
		drives, _ := written(t)
		a := openDrives(t, drives, policy.Adaptive)
		mask(t, a, sitOut(2))
		if _, err := a.WriteAt(noise(seed, 3000), 100); err != nil {
			t.Fatal(err)
		}
		after := make([]*drive, len(drives))
		for i, d := range drives {
			after[i] = d.afterPowerLoss(rand.New(rand.NewPCG(seed, uint64(i))))
		}
		b := openDrives(t, after, policy.Adaptive)
		if got := b.Masks(); len(got) != 1 || got[0].Member != 2 {
			t.Errorf("seed %d: %+v", seed, got)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
}

// TestMaskMetrics: masks, their probes and the ratio of their latency are metrics.
func TestMaskMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives := newDrives(t, testGeometry)
		o := testOptions(policy.Adaptive)
		o.Masks.ProbeEvery, o.Masks.ProbeShare, o.Masks.WellFor = time.Millisecond, 0.1, 0
		a, err := Open(membersOf(drives), o)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		mask(t, a, sitOut(2))
		for i, d := range drives {
			d.faults = func(string) (time.Duration, error) { return time.Duration(1+8*(i/2%2)*(1-i%2)) * time.Millisecond, nil }
		}
		metrics := func(wants ...string) {
			t.Helper()
			var b strings.Builder
			if err := a.WriteMetrics(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range wants {
				if !strings.Contains(b.String(), want) {
					t.Errorf("no %q in\n%s", want, b.String())
				}
			}
		}
		metrics("\nlimpet_raid_masked{member=\"2\",name=\"drive2\",how=\"sit-out\",incident=\"ec082432\"} 1\n",
			"\nlimpet_raid_masked_since_seconds{member=\"2\",name=\"drive2\"} 1772332215\n",
			"# TYPE limpet_raid_masked_latency_ratio gauge\n# HELP", // no answers, no ratio
			"\nlimpet_raid_masked_recovered{member=\"2\",name=\"drive2\"} 0\n", "\nlimpet_raid_probe_reads_total 0\n")
		for range 80 {
			readAll(t, a)
		}
		metrics("\nlimpet_raid_masked_latency_ratio{member=\"2\",name=\"drive2\"} 9\n")
		drives[2].faults = drives[1].faults
		for range 100 {
			readAll(t, a)
		}
		metrics("\nlimpet_raid_masked_latency_ratio{member=\"2\",name=\"drive2\"} 1\n", "\nlimpet_raid_masked_recovered{member=\"2\",name=\"drive2\"} 1\n")
		if c := a.Counters(); c.Probes == 0 || c.Extra < c.Probes || c.Masked != 0 || float64(c.Probes) > 0.1*float64(c.Reads) {
			t.Errorf("counted %+v", c)
		}
	})
}
