package activity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

var midnight = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// recording writes an activity file of one host whose disks each do tps
// requests a second of await ms.
type recording struct {
	t      *testing.T
	file   *os.File
	w      *sysstat.Writer
	disks  []sysstat.Disk
	now    time.Time
	uptime uint64
}

func record(t *testing.T, dir, name, host string, start time.Time, disks int) *recording {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Release, o.Created = host, "5.14.0", start
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{t: t, file: f, w: w, now: start, uptime: 360000}
	for i := range disks {
		r.disks = append(r.disks, sysstat.Disk{Major: 8, Minor: uint32(16 * i), IOs: 1000})
	}
	t.Cleanup(func() { f.Close() })
	return r
}

// run records for some seconds, one record after each interval.
func (r *recording) run(seconds, interval int, tps uint64, await uint32) {
	r.t.Helper()
	for range seconds / interval {
		r.now = r.now.Add(time.Duration(interval) * time.Second)
		r.uptime += uint64(interval) * 100
		for i := range r.disks {
			n := tps * uint64(interval)
			r.disks[i].IOs += n
			r.disks[i].ReadTicks += uint32(n) * await
		}
		r.write()
	}
}

func (r *recording) write() {
	r.t.Helper()
	if err := r.w.WriteStats(r.now, r.uptime, &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: r.disks}); err != nil {
		r.t.Fatal(err)
	}
}

// activityRows reads a directory and returns await by component and end of
// step, in seconds after midnight.
func activityRows(t *testing.T, dir string, o Options) (map[string]map[int64]float64, *Source) {
	t.Helper()
	o.Metrics = []string{"await"}
	a, err := Open(t.Context(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	got := map[string]map[int64]float64{}
	for last := int64(0); ; {
		row, err := a.Next(t.Context())
		if err == io.EOF {
			return got, a
		}
		if err != nil {
			t.Fatal(err)
		}
		if row.End <= last {
			t.Errorf("row of %d after that of %d", row.End, last)
		}
		last = row.End
		for c, v := range row.Values[1] {
			if name := a.System().Components[c].Name; !table.IsMissing(v) {
				if got[name] == nil {
					got[name] = map[int64]float64{}
				}
				got[name][row.End-midnight.Unix()] = v
			}
		}
	}
}

func ends(m map[int64]float64) []int64 {
	var list []int64
	for e := range m {
		list = append(list, e)
	}
	slices.Sort(list)
	return list
}

func activityWarned(a *Source, part string) bool {
	return slices.ContainsFunc(a.Warnings(), func(w ingest.Warning) bool { return strings.Contains(w.String(), part) })
}

func TestActivityRows(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "sa01", "fs1", midnight, 3).run(120, 1, 20, 7)
	got, a := activityRows(t, dir, Options{})
	want := []int64{30, 45, 60, 75, 90, 105, 120}
	for _, name := range []string{"fs1/sda", "fs1/sdb", "fs1/sdc"} {
		if !slices.Equal(ends(got[name]), want) {
			t.Errorf("%s has steps %v, want %v", name, ends(got[name]), want)
		}
		for e, v := range got[name] {
			if v != 7 {
				t.Errorf("%s at %d: await %v", name, e, v)
			}
		}
	}
	if a.Schema().StepSeconds != 15 {
		t.Errorf("step %d", a.Schema().StepSeconds)
	}
}

func TestActivityJoinsDaysAndReboots(t *testing.T) {
	dir := t.TempDir()
	day := record(t, dir, "sa01", "fs1", midnight, 3)
	day.run(60, 5, 20, 7)
	next := record(t, dir, "sa02", "fs1", day.now, 3)
	next.disks, next.uptime = slices.Clone(day.disks), day.uptime
	next.write() // rotation writes the record into both files
	next.run(60, 5, 20, 7)
	if err := next.w.WriteRestart(next.now.Add(3*time.Second), 1); err != nil {
		t.Fatal(err)
	}
	next.now, next.uptime = next.now.Add(30*time.Second), 2000
	for i := range next.disks {
		next.disks[i].IOs, next.disks[i].ReadTicks = 5, 5
	}
	next.run(60, 5, 20, 9)
	got, a := activityRows(t, dir, Options{})
	// No step is lost at midnight; the step of the reboot is missing.
	want := []int64{30, 45, 60, 75, 90, 105, 120, 180, 195, 210}
	if !slices.Equal(ends(got["fs1/sda"]), want) {
		t.Errorf("steps %v, want %v", ends(got["fs1/sda"]), want)
	}
	if got["fs1/sda"][75] != 7 || got["fs1/sda"][180] != 9 {
		t.Errorf("await across midnight %v and after the reboot %v", got["fs1/sda"][75], got["fs1/sda"][180])
	}
	if len(a.Warnings()) > 0 {
		t.Errorf("warnings about healthy files: %v", a.Warnings())
	}
}

func TestActivityDeviceGoesAndServerStays(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "sa01", "fs1", midnight, 3)
	r.run(60, 1, 20, 7)
	r.disks = nil
	r.run(60, 1, 20, 7)
	o := Options{Metrics: []string{"await"}}
	a, err := Open(t.Context(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	heard := 0
	for {
		row, err := a.Next(t.Context())
		if err != nil {
			break
		}
		if row.Heard[0] {
			heard++
		}
	}
	if heard != 7 {
		t.Errorf("the server was heard in %d steps, want 7: it lost its disks, not its voice", heard)
	}
}

func TestActivityStepFollowsTheInterval(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "sa01", "fs1", midnight, 3).run(7200, 600, 20, 7)
	got, a := activityRows(t, dir, Options{})
	if a.Schema().StepSeconds != 600 || len(got["fs1/sda"]) != 11 {
		t.Errorf("step %d with %d values", a.Schema().StepSeconds, len(got["fs1/sda"]))
	}
	if !activityWarned(a, "the interval between records is 600 s") {
		t.Errorf("nothing said of the long step: %v", a.Warnings())
	}
	_, a = activityRows(t, dir, Options{StepSeconds: 15})
	if !activityWarned(a, "--step 600") {
		t.Errorf("nothing said of the short step: %v", a.Warnings())
	}
}

func TestActivityOfAnotherDay(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		start := midnight
		if i == 3 {
			start = midnight.Add(-48 * time.Hour)
		}
		record(t, dir, fmt.Sprintf("fs%d.sa", i), fmt.Sprintf("fs%d", i), start, 3).run(120, 1, 20, 7)
	}
	_, a := activityRows(t, dir, Options{})
	if !activityWarned(a, "data of fs3 are from 2026-02-27") {
		t.Errorf("nothing said of the other day: %v", a.Warnings())
	}
}

// TestActivityAllOfOtherDays: if no days are those of most servers, one warning is enough, and calls no
// server an exception.
func TestActivityAllOfOtherDays(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		record(t, dir, fmt.Sprintf("fs%d.sa", i), fmt.Sprintf("fs%d", i), midnight.Add(time.Duration(i)*-48*time.Hour), 3).run(120, 1, 20, 7)
	}
	_, a := activityRows(t, dir, Options{})
	if !activityWarned(a, "the files of 6 servers are from different days") || activityWarned(a, "most servers") {
		t.Errorf("warnings: %v", a.Warnings())
	}
}

// TestActivityTooShort: a file with a few seconds is not reported as empty.
func TestActivityTooShort(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "fs1.sa", "fs1", midnight, 3).run(5, 1, 20, 7)
	rows, a := activityRows(t, dir, Options{StepSeconds: 15})
	if len(rows) > 0 || !activityWarned(a, "the records of fs1 cover 4 s, from 2026-03-01 00:00:01Z to 2026-03-01 00:00:05Z, less than one time step of 15 s") {
		t.Errorf("%d rows, nothing said of what there is: %v", len(rows), a.Warnings())
	}
}

// TestActivityFarApart: records 600 s apart fill no time step of 15 s. The warning is about the
// interval, because 50 minutes are longer than a time step.
func TestActivityFarApart(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "fs1.sa", "fs1", midnight, 3).run(3600, 600, 20, 7)
	rows, a := activityRows(t, dir, Options{StepSeconds: 15})
	if len(rows) > 0 || !activityWarned(a, "the interval between records of fs1 is up to 600 s, longer than the time step of 15 s") {
		t.Errorf("%d rows, nothing said of the interval: %v", len(rows), a.Warnings())
	}
	if activityWarned(a, "less than one time step") {
		t.Errorf("50 minutes are called less than a time step of 15 s: %v", a.Warnings())
	}
}

func TestActivityClockSetBackByAnHour(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "sa01", "fs1", midnight.Add(2*time.Hour), 3)
	r.run(600, 5, 20, 7)
	r.now = r.now.Add(-time.Hour)
	r.run(600, 5, 20, 7)
	_, a := activityRows(t, dir, Options{}) // activityRows checks that time advances
	if !activityWarned(a, "clock of fs1 was set back") {
		t.Errorf("nothing said of the clock: %v", a.Warnings())
	}
}

// TestActivityWithoutTopology: one WWN on several servers is one LUN.
func TestActivityWithoutTopology(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		r := record(t, dir, fmt.Sprintf("%d.sa", i), fmt.Sprintf("fs%d", i), midnight, 4)
		for d := range r.disks {
			r.disks[d].WWN = [2]uint64{0x5000c50000000000 + uint64(d)}
		}
		r.run(60, 1, 20, 7)
	}
	_, a := activityRows(t, dir, Options{Peers: topology.PeersServer})
	if s := a.System(); len(s.LUNs) != 4 || len(s.Components) != 8 {
		t.Errorf("%d LUNs, %d attachments: %v", len(s.LUNs), len(s.Components), s.Components)
	}
}

func TestActivityHostsWithDomains(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "a", "fs1.example.org", midnight, 3).run(60, 1, 20, 7)
	system, _, err := topology.Parse("t.yaml", []byte("servers: fs1\ndrives:\n  - devices: sd[a-c]\n    peers: server\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, a := activityRows(t, dir, Options{System: system})
	if len(got) != 3 {
		t.Errorf("%d of 3 drives found: %v", len(got), a.Warnings())
	}
}

// TestActivityCloseEarly: closing a source before its end leaves no goroutine.
func TestActivityCloseEarly(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "a", "fs1", midnight, 3).run(20000, 1, 20, 7)
	a, err := Open(t.Context(), []string{dir}, Options{Metrics: []string{"await"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := a.Next(t.Context()); err != io.EOF {
		t.Errorf("a row after Close: %v", err)
	}
}

// TestActivityClockBrieflyWrong: a clock that is a year ahead until the network
// is up, or a day ahead for one record, costs a few steps and not the day.
func TestActivityClockBrieflyWrong(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "sa01", "fs1", midnight.Add(365*24*time.Hour), 3)
	r.run(45, 15, 20, 7) // before NTP
	r.now = midnight
	r.run(1800, 15, 20, 7)
	r.now = r.now.Add(24 * time.Hour)
	r.run(15, 15, 20, 7)
	r.now = r.now.Add(-24 * time.Hour)
	r.run(1800, 15, 20, 7)
	got, a := activityRows(t, dir, Options{})
	steps := ends(got["fs1/sda"])
	// Only the steps that contain the three jumps are lost.
	if len(steps) < 238 || steps[0] > 60 || steps[len(steps)-1] > 3700 {
		t.Errorf("%d steps from %d to %d, want nearly all of an hour", len(steps), steps[0], steps[len(steps)-1])
	}
	if !activityWarned(a, "the clock of fs1 made 3 jumps of more than 300 s") {
		t.Errorf("nothing said of the clock: %v", a.Warnings())
	}
}

// TestActivityStepIsNotSetByOne: a host with a long interval does not lengthen
// the step of the others, and is named.
func TestActivityStepIsNotSetByOne(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		record(t, dir, fmt.Sprintf("%d.sa", i), fmt.Sprintf("fs%d", i), midnight, 3).run(3600, 5, 20, 7)
	}
	record(t, dir, "slow.sa", "fs9", midnight, 3).run(3600, 600, 20, 7)
	_, a := activityRows(t, dir, Options{})
	if a.Schema().StepSeconds != 15 || !activityWarned(a, "the interval between records of fs9 is up to 600 s") {
		t.Errorf("step %d, warnings %v", a.Schema().StepSeconds, a.Warnings())
	}
}

// TestActivityReplacedDrive: another drive with the same number is seen.
func TestActivityReplacedDrive(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "a", "fs1", midnight, 3)
	for d := range r.disks {
		r.disks[d].WWN = [2]uint64{0x5000c50000000000 + uint64(d)}
	}
	r.run(600, 5, 20, 7)
	r.disks[2] = sysstat.Disk{Major: 8, Minor: 48, WWN: [2]uint64{0x5000c500000000ff}}
	r.run(600, 5, 20, 7)
	got, a := activityRows(t, dir, Options{})
	if len(got) != 4 || len(a.Warnings()) > 0 {
		t.Errorf("%d drives seen, want 4; warnings %v", len(got), a.Warnings())
	}
}

// TestActivityHostUnderTwoNames: short and full name are one host.
func TestActivityHostUnderTwoNames(t *testing.T) {
	dir := t.TempDir()
	day := record(t, dir, "a", "fs1", midnight, 3)
	day.run(600, 5, 20, 7)
	next := record(t, dir, "b", "FS1.example.org", day.now, 3)
	next.disks, next.uptime = slices.Clone(day.disks), day.uptime
	next.run(600, 5, 20, 7)
	got, a := activityRows(t, dir, Options{})
	if len(got) != 3 || len(got["fs1/sda"])+len(got["FS1.example.org/sda"]) != 79 {
		t.Errorf("%d components, steps %v; %v", len(got), ends(got["fs1/sda"]), a.Warnings())
	}
}

// TestActivityIsCancelled: a blocked Next returns at once, and no goroutine is
// left.
func TestActivityIsCancelled(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "sa01", "fs1", midnight, 2).run(3600, 1, 100, 5)
	ctx, cancel := context.WithCancel(t.Context())
	a, err := Open(ctx, []string{dir}, Options{StepSeconds: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Next(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if row, err := a.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("row %v, error %v", row, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(ctx, []string{dir}, Options{StepSeconds: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened with error %v", err)
	}
}

var _ ingest.Source = (*Source)(nil)
