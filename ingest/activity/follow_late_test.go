package activity

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// trio records three servers for a while.
func trio(t *testing.T, seconds int, clocks ...time.Duration) string {
	dir := t.TempDir()
	for i := range 3 {
		host := fmt.Sprintf("fs%d", i+1)
		start := midnight
		if i < len(clocks) {
			start = start.Add(clocks[i])
		}
		record(t, dir, host+".sa", host, start, 3).varied(seconds, 5, uint64(i))
	}
	return dir
}

// without removes the values of a server from printed rows.
func without(rows []string, server string) []string {
	var list []string
	for _, row := range rows {
		lines := slices.DeleteFunc(strings.Split(row, "\n"), func(line string) bool { return strings.Contains(line, server) })
		list = append(list, strings.Join(lines, "\n"))
	}
	return list
}

// lags prints the state of all machines.
func (th *theatre) lags() string {
	var list []string
	for _, m := range th.f.Progress().Machines {
		list = append(list, fmt.Sprintf("%s %s", m.Name, m.State))
	}
	return strings.Join(list, ", ")
}

// machine returns the progress of one machine.
func (th *theatre) machine(name string) ServerProgress {
	for _, m := range th.f.Progress().Machines {
		if m.Name == name {
			return m
		}
	}
	th.t.Fatalf("no machine %s", name)
	return ServerProgress{}
}

// TestFollowedClock90SecondsAhead: the steps of a machine whose clock is ahead
// wait for the others, and no machine is late.
func TestFollowedClock90SecondsAhead(t *testing.T) {
	dir := trio(t, 900, 90*time.Second)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.tapes[0].behind = -90 // its records come at the same moment as the others'
	th.begin()
	th.clock -= 90
	begin := th.clock
	th.until(begin+600, 5)
	if got := th.lags(); got != "fs1 live, fs2 live, fs3 live" {
		t.Error(got)
	}
	if m := th.machine("fs1"); m.LagSeconds >= -80 || !strings.Contains(m.Trouble, "ahead: limpet uses the data of this server later, when") {
		t.Errorf("%+v", m)
	}
	for _, name := range []string{"fs2", "fs3"} {
		if m := th.machine(name); m.LateSteps > 0 || th.clock-m.Given > 50 {
			t.Errorf("%+v", m)
		}
	}
	th.play(5)
	th.same()
}

// TestFollowedServerVanishesAndComesBack: rows continue without the server; its
// late steps are counted and left out; then it is in rows again.
func TestFollowedServerVanishesAndComesBack(t *testing.T) {
	dir := trio(t, 1800)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.begin()
	begin, gone := th.clock, th.tapes[2]
	th.until(begin+600, 5)
	gone.behind = 1 << 30 // none of its records arrives
	th.until(begin+600+90, 5)
	if got := th.lags(); got != "fs1 live, fs2 live, fs3 late" || !strings.Contains(th.machine("fs3").Trouble, "fs3 is late") {
		t.Error(got, th.machine("fs3"))
	}
	if m := th.machine("fs1"); th.clock-m.Given > 50 {
		t.Errorf("the others wait for it: %+v", m)
	}
	th.until(begin+1200, 5)
	if got := th.lags(); got != "fs1 live, fs2 live, fs3 silent" {
		t.Error(got)
	}
	gone.behind = 0
	th.play(5)
	m := th.machine("fs3")
	if m.State != Live || m.LateSteps < 30 || m.LateSteps > 45 {
		t.Errorf("%+v", m)
	}
	want, whole, missed := opened(t, dir, th.opts), 0, 0
	sameRows(t, without(th.rows, "fs3"), without(want, "fs3"))
	for i, row := range th.rows {
		if row == want[i] {
			whole++
		}
		if !strings.Contains(row, "heard fs3") {
			missed++
		}
	}
	if missed != m.LateSteps || whole < len(want)-missed-1 {
		t.Errorf("of %d rows %d are whole, and %d lack what came late, which was %d steps", len(want), whole, missed, m.LateSteps)
	}
}

// TestFollowedClockBehind: a machine whose clock is behind becomes late, then
// silent, and both are reported. Rows wait for a machine that is a little
// behind.
func TestFollowedClockBehind(t *testing.T) {
	dir := trio(t, 1200, -3*time.Minute, -20*time.Second)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.tapes[0].behind, th.tapes[1].behind = 180, 20
	th.clock = midnight.Unix()
	th.begin()
	th.until(midnight.Unix()+250, 5)
	if got := th.lags(); got != "fs1 late, fs2 live, fs3 live" {
		t.Error(got)
	}
	th.until(midnight.Unix()+1190, 5)
	if got := th.lags(); got != "fs1 silent, fs2 live, fs3 live" {
		t.Error(got)
	}
	m := th.machine("fs1")
	if m.LateSteps < 40 || m.LagSeconds < 180 || !strings.Contains(m.Trouble, "check the clock of the server, and copy its files more often") {
		t.Errorf("%+v", m)
	}
}

// TestFollowedClockAYearAhead: such a clock is not believed, and rows do not
// wait for it. After it is set right the machine is in rows.
func TestFollowedClockAYearAhead(t *testing.T) {
	dir := trio(t, 1200)
	r := record(t, dir, "fs4.sa", "fs4", midnight.Add(365*24*time.Hour), 3)
	r.varied(600, 5, 9)
	r.now = midnight.Add(10 * time.Minute)
	r.varied(600, 5, 9)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.tapes[3].behind = -365 * 24 * 3600 // written when they are taken
	th.clock = midnight.Unix()
	th.begin()
	th.until(midnight.Unix()+500, 5)
	if m := th.machine("fs4"); m.Given > 0 || m.AheadSteps == 0 || !strings.Contains(m.Trouble, "ahead: its data are left out") {
		t.Errorf("%+v", m)
	}
	if m := th.machine("fs1"); th.clock-m.Given > 50 {
		t.Errorf("the others wait for it: %+v", m)
	}
	th.until(midnight.Unix()+1190, 5)
	if m := th.machine("fs4"); m.State != Live || th.clock-m.Given > 60 {
		t.Errorf("%+v", m)
	}
}

// TestFollowedCopiedInLate: the steps of files that appear too late are
// counted, and other servers are not affected.
func TestFollowedCopiedInLate(t *testing.T) {
	dir := trio(t, 900)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	th.tapes[2].behind = 1 << 30
	th.begin()
	begin := th.clock
	th.until(begin+800, 5)
	rows := len(th.rows)
	th.append(th.tapes[2], len(th.tapes[2].bytes)/2)
	th.until(begin+1200, 5)
	if m := th.machine("fs3"); m.LateSteps < 28 || m.LateSteps > 30 || m.Given != 0 || m.State != Late {
		t.Errorf("%+v", m)
	}
	if th.rows[rows] == "" || len(th.rows) != 59 {
		t.Errorf("%d rows, then %d", rows, len(th.rows))
	}
}

// TestFollowedFilesOfThePast: the files of a day ago are written one after the
// other, long late by the clock. With FollowOptions.Until no row is closed
// before the last file is written.
func TestFollowedFilesOfThePast(t *testing.T) {
	dir := trio(t, 1800)
	th := newTheatre(t, dir, Options{Metrics: []string{"await"}})
	written := th.clock
	th.follow.Until = func() time.Time { return time.Unix(written, 0) }
	th.clock += 86400
	th.begin()
	for part := 1; part <= 4; part++ {
		for _, p := range th.tapes {
			n := len(p.ends) * part / 4
			th.append(p, p.ends[n-1])
			th.look()
		}
		written = th.tapes[0].times[len(th.tapes[0].times)*part/4-1]
	}
	if last := th.ends[len(th.ends)-1]; last >= written-1800/4+60 {
		t.Errorf("the row of %d is closed, and all were read up to the quarter hour before %d", last, written)
	}
	written = th.clock
	th.look()
	th.same()
}
