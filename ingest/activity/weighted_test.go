package activity

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// windowed returns an item with delivered segments, the sum of their windows,
// and a congestion control.
func windowed(p tcpstat.Peer, delivered, cwnds uint64, control string) tcpstat.Peer {
	p.Delivered, p.CwndDelivered, p.Control = delivered, cwnds, tcpstat.ControlOf(control)
	return p
}

var weightedMetrics = []string{"wcwnd_out", "wcwnd_in", "shrink_out", "shrink_in"}

// TestWeightedWindows: each delivered segment counts its window, whichever
// remote host it went to. All congestion controls count alike.
func TestWeightedWindows(t *testing.T) {
	dir := t.TempDir()
	fs1, fs2, fs3 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3")
	client1, client2 := attach(t, dir, "client1", "10.0.0.101"), attach(t, dir, "client2", "10.0.0.102")
	for n := range uint64(2) {
		// 30 segments at a window of 20, 10 at 60; a third remote host is idle
		// at 10.
		fs1.second(1, windowed(from("10.0.0.101", 1, 20), 1+30*n, 1+600*n, "cubic"), windowed(from("10.0.0.102", 2, 35), 1+10*n, 1+600*n, "bbr"), windowed(from("10.0.0.103", 1, 10), 5, 50, "cubic"))
		fs2.second(1, windowed(from("10.0.0.101", 1, 10), 7, 70, "bbr")) // idle
		fs3.second(1, windowed(from("10.0.0.101", 1, 10), 7+n, 70+9*n, "nobody's"))
		client1.second(1, windowed(to("10.0.0.1", 1, 4), 5+10*n, 5+40*n, "bbr"), windowed(to("10.0.0.2", 1, 4), 5, 5, ""))
		client2.second(1, windowed(to("10.0.0.1", 1, 8), 5+30*n, 5+240*n, "bbr"))
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: weightedMetrics})
	compare(t, printed(t, a, weightedMetrics...), lines(
		"2 fs1 wcwnd_out 30", "2 fs3 wcwnd_out 9", "2 fs1 wcwnd_in 7",
		"2 fs1 shrink_out 0.5", "2 fs2 shrink_out 0", "2 fs1 shrink_in 0"))
	noWarnings(t, a)
}

// TestWeightedOverSteps: in a step of several records, windows are weighted by
// all delivered segments, though its last second was idle.
func TestWeightedOverSteps(t *testing.T) {
	dir := t.TempDir()
	fs1, client := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "client1", "10.0.0.101")
	for i := range uint64(30) {
		busy := min(i, 25)
		fs1.second(1, windowed(from("10.0.0.101", 1, 10), 1+100*busy, 1+3000*busy, "cubic"))
		client.second(1, windowed(to("10.0.0.1", 1, 10), 1, 1, "cubic"))
	}
	a := networked(t, dir, Options{StepSeconds: 10, Metrics: weightedMetrics, System: system(t, "servers: fs1\ndrives:\n  - devices: sdb\n    peers: all\nhosts: fs1\n")})
	compare(t, printed(t, a, "wcwnd_out", "wcwnd_in"), lines("20 fs1 wcwnd_out 30", "30 fs1 wcwnd_out 30"))
}

// TestOldAndNewRecorders: files of version 1 and of today go into one
// diagnosis. Files of version 1 have the same values as ever, and no others.
func TestOldAndNewRecorders(t *testing.T) {
	dir := t.TempDir()
	recent, old := attach(t, dir, "fs1", "10.0.0.1"), attachSized(t, sizeOfFirst, dir, "fs2", "10.0.0.2")
	fs3 := attach(t, dir, "fs3", "10.0.0.3")
	client1, client2 := attach(t, dir, "client1", "10.0.0.101"), attachSized(t, sizeOfFirst, dir, "client2", "10.0.0.102")
	for n := range uint64(2) {
		recent.second(1, windowed(from("10.0.0.101", 1, 20), 1+30*n, 1+600*n, "cubic"))
		old.writeFirst(windowed(from("10.0.0.101", 1, 25), 1+40*n, 1+600*n, "cubic"))
		fs3.second(1)
		client1.second(1, windowed(to("10.0.0.1", 1, 4), 5+10*n, 5+40*n, "bbr"), windowed(to("10.0.0.2", 1, 6), 5+10*n, 5+60*n, "bbr"))
		client2.writeFirst(windowed(to("10.0.0.1", 1, 8), 5+30*n, 5+240*n, "cubic"))
	}
	metrics := append([]string{"cwnd_out", "cwnd_in", "dlv_out", "dlv_in"}, weightedMetrics...)
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: metrics})
	compare(t, printed(t, a, metrics...), lines(
		"2 fs1 cwnd_out 20", "2 fs2 cwnd_out 25", "2 fs1 cwnd_in 6", "2 fs2 cwnd_in 6",
		"2 fs1 dlv_out 30", "2 fs2 dlv_out 40", "2 fs1 dlv_in 40", "2 fs2 dlv_in 10",
		"2 fs1 wcwnd_out 20", "2 fs1 wcwnd_in 4", "2 fs2 wcwnd_in 6",
		"2 fs1 shrink_out 1", "2 fs1 shrink_in 0", "2 fs2 shrink_in 0"))
	noWarnings(t, a)
}

// TestRecorderReplaced: a sum of windows that begins between two records is no
// growth.
func TestRecorderReplaced(t *testing.T) {
	dir := t.TempDir()
	fs1, fs2, fs3 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3")
	client := attach(t, dir, "client1", "10.0.0.101")
	for n := range uint64(4) {
		var cwnds uint64
		if n >= 2 {
			cwnds = 100_000 + 5*n
		}
		fs1.second(1, windowed(from("10.0.0.101", 1, 5), 10_000+n, cwnds, "cubic"))
		fs2.second(1)
		fs3.second(1)
		client.second(1)
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: weightedMetrics})
	compare(t, printed(t, a, "wcwnd_out"), "4 fs1 wcwnd_out 5\n")
}

// TestLinkSpeed: the speed of a link is that of the record, in bytes a second.
// An unknown speed is missing, also where sadc wrote -1.
func TestLinkSpeed(t *testing.T) {
	dir := t.TempDir()
	for host, mbit := range map[string]uint32{"fs1": 10_000, "fs2": 0, "fs3": math.MaxUint32} {
		s := attach(t, dir, host, "10.0.0."+host[2:])
		s.Interfaces[1].SpeedMbit = mbit
		s.second(1000)
		s.second(1000)
		if host == "fs1" { // it came up slower
			s.Interfaces[1].SpeedMbit = 100
		}
		s.second(1000)
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: []string{"ifspeed", "rxbyt"}})
	compare(t, printed(t, a, "ifspeed"), lines("2 fs1/eth0 ifspeed 1.25e+09", "3 fs1/eth0 ifspeed 1.25e+07"))
}
