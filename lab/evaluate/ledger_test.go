package evaluate

import (
	"math"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// quickly judges two steps of 10 s every 10 s, without a filter: a verdict may
// speak of what was over 30 s ago.
var quickly = persistence.Options{StepSeconds: 10, Smooth: 1, WinSize: 2, WinShift: 1, K: 1}

// drives are five, each on a server of its own.
func drives() *topology.System {
	s := &topology.System{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.Components = append(s.Components, topology.Component{Name: name, Server: "on-" + name})
	}
	return s
}

// windows plays windows that end at 20, 30, … into a ledger. A string a drive:
// x suspect, . not, - unjudged, s its server is silent.
func windows(l *ledger, courses ...string) {
	for at := range courses[0] {
		end := int64(20 + 10*at)
		w := &persistence.Window{Start: end - 20, End: end}
		for c, course := range courses {
			v := persistence.Verdict{Component: c}
			switch course[at] {
			case 'x':
				v.State, v.Suspect = persistence.Anomalous, true
			case '-':
				v.State = persistence.Unjudged
			case 's':
				v.State, v.Reason = persistence.Unjudged, persistence.ServerSilent
			}
			w.Verdicts = append(w.Verdicts, v)
		}
		l.Window(w)
	}
	l.List(&engine.List{})
}

func TestLedger(t *testing.T) {
	at := func(n int64) time.Time { return time.Unix(n, 0) }
	truth := &simulate.Truth{
		Faults: []simulate.Fault{
			{Kind: "slow", Component: "a", From: at(50), To: at(100)},
			{Kind: "slow", Component: "d", From: at(50), To: at(100)},
		},
		Harmless: []simulate.Fault{{Kind: simulate.ServerIssued, Component: "c", From: at(40), To: at(60)}},
	}
	l, err := newLedger(&quickly, []int{1, 3}, drives(), truth)
	if err != nil {
		t.Fatal(err)
	}
	windows(l, //
		"....xxxx......", // a: found at 60, three above its base at 80; windows inside the fault end at 70 to 100
		"x.x..xxx......", // b: three false alarms, of which one lasts
		"...x..........", // c: one false alarm, on what is harmless
		"sssssssss.....", // d: its server is silent throughout the fault
		"--------------", // e: never judged
	)
	r := l.Result()
	// The fault of a covers windows ending at 70, 80, 90, 100, of which the last
	// is quiet. b and c are healthy in 14 windows each, a in those that end at
	// 20, 30, 40, 50 and 150 (130 begins before the memory of 130 is over), d in
	// the last, which alone it is judged in beyond that memory.
	if want := (Confusion{TP: 3, FN: 1, FP: 6, TN: 14 + 14 + 5 + 1 - 6}); r.Windows != want {
		t.Errorf("windows %+v, want %+v", r.Windows, want)
	}
	if want := (14 + 14 + 5 + 1) * 10. / 86400; math.Abs(r.HealthyDays-want) > 1e-9 {
		t.Errorf("%g healthy days, want %g", r.HealthyDays, want)
	}
	if r.Components != 4 {
		t.Errorf("%d components were judged, want 4", r.Components)
	}
	ever, lasting := r.Verdicts[0], r.Verdicts[1]
	if want := (Confusion{TP: 1, FP: 2}); ever.Components != want || ever.Found != 1 || ever.FalseAlarms != 4 || ever.Harmless != 1 {
		t.Errorf("ever suspect: %+v, want components %+v, 1 found, 4 false alarms, 1 harmless", ever, want)
	}
	if want := (Confusion{TP: 1, FP: 1, TN: 1}); lasting.Components != want || lasting.Found != 1 || lasting.FalseAlarms != 1 || lasting.Harmless != 0 {
		t.Errorf("lasting: %+v, want components %+v, 1 found, 1 false alarm", lasting, want)
	}
	if got := r.Faults[0].ToVerdict; got[0] != 10*time.Second || got[1] != 30*time.Second {
		t.Errorf("verdicts on a after %v, want 10 s and 30 s", got)
	}
	if got := r.Faults[1].ToVerdict; got[0] != never || got[1] != never {
		t.Errorf("verdicts on d after %v, want never", got)
	}
}

// TestLedgerBeforeTheOnset: an accumulator that stood high before a fault says
// nothing about it, until it climbs further.
func TestLedgerBeforeTheOnset(t *testing.T) {
	truth := &simulate.Truth{Faults: []simulate.Fault{{Kind: "slow", Component: "a", From: time.Unix(60, 0), To: time.Unix(200, 0)}}}
	l, err := newLedger(&quickly, []int{2}, drives(), truth)
	if err != nil {
		t.Fatal(err)
	}
	quiet := ".........."
	windows(l, "xxxxx.-xx.", quiet, quiet, quiet, quiet)
	// It stands at 5 at the onset, falls to 4, and is back at 6 at 110.
	if got := l.Result().Faults[0].ToVerdict[0]; got != 40*time.Second {
		t.Errorf("a verdict after %v, want 40 s", got)
	}
}

// TestLedgerWithoutTimes: labels say who is slow, not since when.
func TestLedgerWithoutTimes(t *testing.T) {
	truth := &simulate.Truth{Faults: []simulate.Fault{{Kind: slowDrive, Component: "b"}}}
	l, err := newLedger(&quickly, []int{1}, drives(), truth)
	if err != nil {
		t.Fatal(err)
	}
	windows(l, "....", "..x.", "....", "....", "x...")
	r := l.Result()
	if want := (Confusion{TP: 1, FN: 3, FP: 1, TN: 15}); r.Windows != want {
		t.Errorf("windows %+v, want %+v", r.Windows, want)
	}
	if got := r.Faults[0].ToVerdict[0]; got != 40*time.Second {
		t.Errorf("a verdict %v after the first sample, want 40 s", got)
	}
}

// TestMomentsOfSeveralMetrics: a component is suspect in a moment where any
// metric says so, whichever order the windows come in.
func TestMomentsOfSeveralMetrics(t *testing.T) {
	var ends []int64
	var suspect []bool
	var values []int
	m := newMoments(1, func(m *moment) {
		ends, suspect, values = append(ends, m.end), append(suspect, m.suspect[0]), append(values, m.value[0])
	})
	window := func(metric int, end int64, suspect bool) {
		m.Window(&persistence.Window{Metric: metric, Start: end - 20, End: end, Verdicts: []persistence.Verdict{{Suspect: suspect}}})
	}
	window(0, 20, true)
	window(0, 30, true)
	window(1, 20, false)
	window(1, 30, true)
	m.List(nil)
	window(0, 40, false)
	window(1, 40, false)
	m.List(nil)
	if len(ends) != 3 || ends[0] != 20 || !suspect[0] || !suspect[1] || suspect[2] || values[1] != 2 || values[2] != 1 {
		t.Errorf("moments at %v, suspect %v, values %v", ends, suspect, values)
	}
}
