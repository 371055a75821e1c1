package symptom

import (
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// loses makes a percentage of the segments be sent again, each way, on connections with
// the given congestion windows.
func loses(percent, cwnd float64) func(*machine) {
	return func(m *machine) { m.Loses(percent, cwnd) }
}

// fewSegments makes a server exchange a number of segments in a window.
func fewSegments(segments float64) func(*machine) {
	return func(m *machine) { m[window.DlvIn], m[window.DlvOut] = segments/64, segments/64 }
}

func all(changes ...func(*machine)) func(*machine) {
	return func(m *machine) {
		for _, change := range changes {
			change(m)
		}
	}
}

// weighted sets congestion windows by segment, and the share of the hosts that shrink
// them.
func weighted(cwnd, shrinks float64) func(*machine) {
	return func(m *machine) {
		for _, w := range window.Directions {
			m[w.Weighted], m[w.Shrinks] = cwnd, shrinks
		}
	}
}

func TestLosses(t *testing.T) {
	o := defaultLimits()
	for name, tt := range map[string]signCase{
		"nothing is lost":                      {Score: 0},
		"steadily":                             {Own: loses(5, 5.4), Score: 50, Odd: true},
		"steadily, over windows that are idle": {Own: loses(5, 28), Score: 50, Odd: true},
		"one in a hundred":                     {Peers: alike(7, loses(0.03, 30)), Own: loses(1, 28), Score: 10, Odd: true},
		"hardly any":                           {Own: loses(0.19, 3), Score: 1.9},
		"a little, over open windows":          {Own: loses(0.3, 28), Score: 3, Doubt: finding.WideWindows},
		"a little, over shrunk windows":        {Own: loses(0.3, 14), Score: 3, Odd: true},
		"a little, over windows too small":     {Peers: alike(7, loses(0, 5.9)), Own: loses(0.3, 2.9), Score: 3, Doubt: finding.WideWindows},
		"a little, without windows":            {Own: loses(0.3, table.Missing), Score: 3, Doubt: finding.WideWindows},
		"a little, and idle ones set apart":    {Peers: alike(7, weighted(30, 1)), Own: all(loses(0.3, 28), weighted(14, 1)), Score: 3, Odd: true},
		"a little, and windows never shrink":   {Peers: alike(7, weighted(30, 0)), Own: all(loses(0.3, 28), weighted(14, 0)), Score: 3, Doubt: finding.WideWindows},
		"peers lose nearly as much":            {Peers: alike(7, loses(3, 20)), Own: loses(5, 5), Score: 5.0 / 3},
		"peers lose half as much":              {Peers: alike(7, loses(2, 20)), Own: loses(5, 5), Score: 2.5, Odd: true},
		"fifteen segments":                     {Own: all(fewSegments(285), loses(5, 4)), Score: 50, Doubt: finding.FewLost},
		"seventeen segments":                   {Own: all(fewSegments(323), loses(5, 4)), Score: 50, Odd: true},
		"seventeen of what peers lose often":   {Peers: alike(7, fewSegments(1e6), loses(2, 20)), Own: all(fewSegments(400), loses(4.1, 4)), Score: 2.05, Doubt: finding.FewSent},
		"no segment at all":                    {Own: all(fewSegments(0), loses(0, 30)), Score: table.Missing},
		"peers without a segment":              {Peers: alike(7, fewSegments(0)), Own: func(m *machine) { m[window.RetrIn], m[window.RetrOut] = 9, 9 }, Score: table.Missing},
		"nothing comes through":                {Own: all(fewSegments(0), func(m *machine) { m[window.RetrIn], m[window.RetrOut] = 9, 9 }), Score: 1000, Odd: true},
		"fewer than three tell of delivered":   {Peers: alike(7, fewSegments(table.Missing)), Own: all(fewSegments(6400), loses(5, 5)), Score: table.Missing},
	} {
		for symptom, other := range map[finding.Symptom]finding.Symptom{finding.LosesIn: finding.LosesOut, finding.LosesOut: finding.LosesIn} {
			if tt.Symptom = symptom; tt.Odd {
				tt.Also = []finding.Symptom{other}
			}
			t.Run(name, func(t *testing.T) { tt.Hold(t, o.examineLoss) })
		}
	}
}

// TestLossHasADirection: a loss in one direction is no sign in the other.
func TestLossHasADirection(t *testing.T) {
	o := defaultLimits()
	for way, symptom := range lossSymptoms {
		w := window.Directions[way]
		x := signCase{Own: func(m *machine) { m[w.Resent] = m[w.Delivered] / 19 }, Symptom: symptom, Score: 50, Odd: true}
		x.Hold(t, o.examineLoss)
		little := func(m *machine) { m[w.Resent], m[window.Directions[1-way].Cwnd] = m[w.Delivered]/332, 5 }
		crossed := signCase{Own: little, Symptom: symptom, Score: 100.0 / 333 / 0.1, Doubt: finding.WideWindows}
		crossed.Hold(t, o.examineLoss)
	}
}

// TestBursts: segments lost by chance are a symptom as soon as the loss begins; as many
// lost in bursts are none. Bursts that peers have too do not hide segments that are lost
// one by one.
func TestBursts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	none := func(int) float64 { return 0 }
	chance := func(share float64) func(int) float64 { return func(int) float64 { return lostOf(rng, 700, share) } }
	bursts := func(i int) float64 { return 0.02 * float64(i%8/7) } // a quarter percent
	for name, tt := range map[string]struct {
		own, peers func(second int) float64 // share of the segments that is lost
		odd        bool
	}{
		"all alike":              {func(int) float64 { return 0.05 }, none, true},
		"by chance":              {chance(0.05), none, true},
		"by chance, since half":  {func(i int) float64 { return float64(i/32) * lostOf(rng, 700, 0.05) }, none, true},
		"by chance, a little":    {func(i int) float64 { return float64(i/40) * lostOf(rng, 700, 0.03) }, none, true},
		"every other second":     {func(i int) float64 { return 0.1 * float64(i%2) }, none, false},
		"every eighth second":    {func(i int) float64 { return 0.4 * float64(i%8/7) }, none, false},
		"once in the window":     {func(i int) float64 { return map[int]float64{40: 1}[i] }, none, false},
		"beside bursts of all":   {func(i int) float64 { return bursts(i) + lostOf(rng, 700, 0.02) }, bursts, true},
		"in larger bursts":       {func(i int) float64 { return 8 * bursts(i) }, bursts, false},
		"in more frequent ones":  {func(i int) float64 { return 0.02 * float64(i%2) }, bursts, false},
		"in bursts, alone":       {bursts, none, false},
		"in bursts, and chanced": {func(i int) float64 { return 8*bursts(i) + lostOf(rng, 700, 0.005) }, none, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := defaultLimits()
			seconds := make([][]machine, 64)
			for i := range seconds {
				seconds[i] = alike(7)
				for server := range seconds[i] {
					share := tt.peers(i)
					if server == 0 {
						share = tt.own(i)
					}
					m := &seconds[i][server]
					m[window.RetrIn], m[window.DlvIn] = 700*share, 700*(1-share)
				}
			}
			s := of(windows(plain(7), seconds, func(w *Window) { o.examineLoss(w) })[0], 7, 0, finding.LosesIn)
			doubt := finding.InBursts
			if tt.odd {
				doubt = finding.NoDoubt
			}
			if s.Score < o.criteria.DoubleTimes || s.Anomalous != tt.odd || s.Doubt != doubt {
				t.Errorf("%+v, want odd %t", *s, tt.odd)
			}
		})
	}
}

// TestLostAcknowledgements: if the way back loses bursts, the segments that are sent
// again had arrived.
func TestLostAcknowledgements(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for burst, odd := range map[float64]bool{0: true, 0.04: true, 0.4: false} { // in every eighth second
		o := defaultLimits()
		seconds := make([][]machine, 64)
		for i := range seconds {
			seconds[i] = alike(7)
			m, back, out := &seconds[i][0], burst*float64(i%8/7), lostOf(rng, 60, 0.02)
			m[window.RetrIn], m[window.DlvIn] = 7000*back, 7000*(1-back)
			m[window.RetrOut], m[window.DlvOut] = 60*out, 60*(1-out)
		}
		s := of(windows(plain(7), seconds, func(w *Window) { o.examineLoss(w) })[0], 7, 0, finding.LosesOut)
		if s.Score < o.criteria.DoubleTimes*o.criteria.DoubleTimes || s.Anomalous != odd {
			t.Errorf("bursts of %g: %+v, want odd %t", burst, *s, odd)
		}
	}
}

// TestOutages: a link that goes down for a second several times loses hardly any
// segment, and is found. A single outage is an accident, and outages of all servers are
// no server's fault.
func TestOutages(t *testing.T) {
	for name, tt := range map[string]struct {
		down   func(server, second int) bool
		odd    bool
		losing float64 // segments, in each such second
	}{
		"every twelve seconds":         {func(server, i int) bool { return server == 0 && i%12 == 5 }, true, 2},
		"twice":                        {func(server, i int) bool { return server == 0 && i%40 == 5 }, false, 2},
		"all of them":                  {func(_, i int) bool { return i%12 == 5 }, false, 2},
		"every twelve seconds, asleep": {func(server, i int) bool { return server == 0 && i%12 == 5 }, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := defaultLimits()
			seconds := make([][]machine, 64)
			for i := range seconds {
				seconds[i] = alike(7)
				for server := range seconds[i] {
					if tt.down(server, i) {
						seconds[i][server][window.RetrIn], seconds[i][server][window.DlvIn] = tt.losing, 0
					}
				}
			}
			s := of(windows(plain(7), seconds, func(w *Window) { o.examineLoss(w) })[0], 7, 0, finding.LosesIn)
			if s.Anomalous != tt.odd || tt.odd && s.Scale != finding.OutageSteps {
				t.Errorf("%+v, want odd %t", *s, tt.odd)
			}
		})
	}
}

// lostOf returns the number of lost segments if each is lost with the given chance.
func lostOf(rng *rand.Rand, segments int, share float64) float64 {
	lost := 0
	for range segments {
		if rng.Float64() < share {
			lost++
		}
	}
	return float64(lost) / float64(segments)
}
