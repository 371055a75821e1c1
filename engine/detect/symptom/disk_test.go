package symptom

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// examineDisks examines drives by the default bounds.
func examineDisks() func(*Window) { return newDiskDetector(defaultLimits(), 64).Examine }

// waiting sets latency and busy time of a drive.
func waiting(await, util float64) func(*machine) {
	return func(m *machine) { m[window.Await], m[window.Util] = await, util }
}

// queue returns peers of the same utilisation with different latencies.
func queue(busy float64, awaits ...float64) []machine {
	list := alike(len(awaits))
	for i, await := range awaits {
		waiting(await, busy)(&list[i])
	}
	return list
}

func idle(m *machine) {
	for _, c := range [...]window.Column{window.TPS, window.Read, window.Written, window.Await, window.Util} {
		m[c] = 0
	}
}

// few gives a drive a number of requests per second.
func few(tps float64) func(*machine) { return func(m *machine) { m[window.TPS] = tps } }

func both(a, b func(*machine)) func(*machine) {
	return func(m *machine) { a(m); b(m) }
}

func TestWaits(t *testing.T) {
	hardlyUsed := alike(7, few(5), func(m *machine) { m[window.Util] = 4 })
	for name, tt := range map[string]signCase{
		"like its peers":           {Score: 1},
		"busier":                   {Own: waiting(40, 55), Score: 2, Odd: true},
		"hardly busier":            {Own: waiting(40, 54), Score: 2, Doubt: finding.NoBusier},
		"not slow, but busier":     {Own: waiting(29, 90), Score: 1.45},
		"just slow":                {Own: waiting(30, 60), Score: 1.5, Odd: true},
		"far beyond all":           {Own: waiting(110, 40), Score: 5.5, Odd: true},
		"just far beyond all":      {Own: waiting(100, 40), Score: 5, Odd: true},
		"nearly far beyond all":    {Own: waiting(98, 40), Score: 4.9, Doubt: finding.NoBusier},
		"too few requests":         {Own: both(few(4.9/64), waiting(400, 80)), Score: table.Missing},
		"just enough requests":     {Own: both(few(5.1/64), waiting(400, 80)), Score: 20, Odd: true},
		"peers without a request":  {Peers: alike(7, idle), Own: both(few(9), waiting(400, 80)), Score: table.Missing},
		"peers that never wait":    {Peers: alike(7, waiting(0, 40)), Own: waiting(9, 80), Score: table.Missing},
		"peers hardly used":        {Peers: hardlyUsed, Own: waiting(40, 6), Score: 2, Odd: true},
		"busier by less than half": {Peers: hardlyUsed, Own: waiting(40, 5.9), Score: 2, Doubt: finding.NoBusier},
		"nobody knows how busy":    {Peers: alike(7, waiting(20, table.Missing)), Own: waiting(40, table.Missing), Score: 2, Doubt: finding.NoBusier},
		"saturated peers that differ several-fold": {
			Peers: queue(99, 0, 10, 14, 20, 28, 40, 80), Own: waiting(150, 99), Score: 150.0 / 28, Doubt: finding.NoBusier,
		},
		"far beyond saturated peers": {
			Peers: queue(99, 0, 18, 19, 20, 21, 22, 23), Own: waiting(150, 99), Score: 150.0 / 21, Odd: true,
		},
		"far beyond what peers above differ by": { // only those below the median say how much is usual
			Peers: queue(99, 0, 20, 28, 29, 30, 60, 90), Own: waiting(170, 99), Score: 170.0 / 30, Odd: true,
		},
	} {
		t.Run(name, func(t *testing.T) { tt.Hold(t, examineDisks()) })
	}
}

// serves makes a drive read more, for clients or not, with a latency and a busy time.
func serves(mb, await, util float64, asked bool) func(*machine) {
	return func(m *machine) {
		m.Reads(mb)
		m[window.TPS] *= 1 + mb/30
		if waiting(await, util)(m); asked {
			m.Sends(mb, fullFrame)
		}
	}
}

// TestAsked: a drive with more requests than its peers whose work costs as much as at
// the peers is healthy, however long requests wait. At the peers 30 MB/s take 40 %.
func TestAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		own         func(*machine)
		waits, asks finding.Doubt
		score       float64 // of work
		odd         []finding.Symptom
	}{
		"half as much again, at the same price": {serves(15, 44, 60, true), finding.NoBusier, finding.NoDoubt, 1.5, []finding.Symptom{finding.Asked}},
		"and far longer waits":                  {serves(15, 400, 62, true), finding.NoBusier, finding.NoDoubt, 1.5, []finding.Symptom{finding.Asked}},
		"more than any peer, at any price":      {serves(15, 44, 99, true), finding.MoreThanAny, finding.NoDoubt, 1.5, []finding.Symptom{finding.Asked}},
		"hardly more than any peer, dear":       {serves(5, 44, 99, true), finding.NoDoubt, finding.NoDoubt, 35.0 / 30, []finding.Symptom{finding.Waits}},
		"nobody waits":                          {serves(15, 22, 60, true), finding.NoDoubt, finding.NoLonger, 1.5, nil},
		"nobody asked":                          {serves(15, 44, 60, false), finding.NoBusier, finding.NotAsked, 1.5, []finding.Symptom{finding.Loaded}},
		"nobody asked, and dear":                {serves(15, 44, 99, false), finding.NoDoubt, finding.NotAsked, 1.5, []finding.Symptom{finding.Loaded, finding.Waits}},
	} {
		t.Run(name, func(t *testing.T) {
			machines := alike(7)
			tt.own(&machines[0])
			list := windows(plain(7), steady(machines, 64), examineDisks())[0]
			waits, asked := of(list, 7, 0, finding.Waits), of(list, 7, 0, finding.Asked)
			if waits.Doubt != tt.waits || asked.Doubt != tt.asks || !near(asked.Score, tt.score) {
				t.Errorf("%+v\n%+v", *waits, *asked)
			}
			odd := map[finding.Symptom]bool{}
			for _, s := range list {
				if s.Anomalous {
					odd[s.Symptom] = true
				}
			}
			for _, symptom := range tt.odd {
				if !odd[symptom] {
					t.Errorf("symptom %d is not odd", symptom)
				}
			}
			if len(odd) != len(tt.odd) {
				t.Errorf("odd: %v, want %v", odd, tt.odd)
			}
		})
	}
}

// TestPast: the past work of peers counts in the cost, not only that of this window. The
// past of a drive is an argument for others, never for itself.
func TestPast(t *testing.T) {
	hot := serves(30, 60, 100, true)  // twice the work, for two and a half times the time
	slow := serves(0, 60, 100, true)  // no more work, as busy
	half := serves(15, 60, 100, true) // more than peers have now, less than one once had
	seconds := func(first, second int, a, b func(*machine)) (all [][]machine) {
		for i := range 128 {
			machines := alike(7)
			if i < 64 {
				a(&machines[first])
			} else {
				b(&machines[second])
			}
			all = append(all, machines)
		}
		return all
	}
	for name, tt := range map[string]struct {
		seconds [][]machine
		server  int
		doubt   finding.Doubt
	}{
		"another was as busy for as much":     {seconds(3, 0, hot, hot), 0, finding.BusyAsPeer},
		"another was as busy for more":        {seconds(3, 0, hot, half), 0, finding.NoDoubt},
		"another was slow":                    {seconds(3, 0, slow, slow), 0, finding.NoDoubt},
		"it was as busy itself, for as much":  {seconds(0, 0, hot, hot), 0, finding.MoreThanAny},
		"it was as busy itself, for no more":  {seconds(0, 0, slow, slow), 0, finding.NoDoubt},
		"slow now, after another served more": {seconds(3, 0, hot, slow), 0, finding.NoDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			windows := windows(plain(7), tt.seconds, examineDisks())
			s := of(windows[len(windows)-1], 7, tt.server, finding.Waits)
			if s.Doubt != tt.doubt || s.Anomalous != (tt.doubt == finding.NoDoubt) {
				t.Errorf("%+v, want the doubt %d", *s, tt.doubt)
			}
		})
	}
}

// TestLoaded: at the peers a drive reads 20 and writes 10 MB/s in 40 % of its time.
func TestLoaded(t *testing.T) {
	const cost = 40.0 / 30 // percent for a megabyte a second
	const requests = 4.096 * (3 - 0.6/1.448)
	for name, tt := range map[string]signCase{
		"like its peers":                         {Score: 0},
		"reads uncalled":                         {Own: func(m *machine) { m.Reads(15) }, Score: 15 * cost, Odd: true},
		"writes uncalled":                        {Own: func(m *machine) { m.Writes(15) }, Score: 15 * cost, Odd: true},
		"reads too little":                       {Own: func(m *machine) { m.Reads(5) }, Score: 5 * cost},
		"reads a fifth more":                     {Own: func(m *machine) { m.Reads(7) }, Score: 7 * cost, Doubt: finding.LittleMore},
		"no more than its time":                  {Own: func(m *machine) { m.Reads(90); m[window.Util] = 70 }, Score: 70, Odd: true},
		"reads what it sends":                    {Own: func(m *machine) { m.Reads(15); m.Sends(15, fullFrame) }, Score: 0},
		"reads more than it sends":               {Own: func(m *machine) { m.Reads(15); m.Sends(12, fullFrame) }, Score: 3 * cost},
		"writes what it receives":                {Own: func(m *machine) { m.Writes(15); m.Receives(15, fullFrame) }, Score: 0},
		"many small requests":                    {Own: func(m *machine) { m.Reads(10); m.Receives(0.6, 200) }, Score: (10 - requests) * cost},
		"reads more than small requests ask for": {Own: func(m *machine) { m.Reads(20); m.Receives(0.6, 200) }, Score: (20 - requests) * cost, Odd: true},
		"full frames are no requests":            {Own: func(m *machine) { m.Reads(15); m.Receives(15, fullFrame) }, Score: 15 * cost, Odd: true},
		"on a drive that is slow as well":        {Own: both(waiting(60, 100), func(m *machine) { m.Reads(15) }), Score: 15 * cost, Odd: true, Also: []finding.Symptom{finding.Waits}},
		"peers with nothing to do":               {Peers: alike(7, idle), Own: func(m *machine) { m.Reads(10); m[window.Util] = 25 }, Score: table.Missing},
	} {
		tt.Symptom = finding.Loaded
		t.Run(name, func(t *testing.T) { tt.Hold(t, examineDisks()) })
	}
}

// TestWorkIsShared: the work that the network brings to a server is the work of all its
// drives.
func TestWorkIsShared(t *testing.T) {
	for mb, want := range map[float64]float64{15: 0, 30: 20} {
		machines := alike(5)
		machines[0].Reads(mb)
		machines[0].Sends(30, fullFrame)
		found := 0
		for _, s := range windows(shape{Servers: 5, Drives: 2, Interfaces: 1, Hosts: 1, Sets: 1}, steady(machines, 64), examineDisks())[0] {
			if s.Symptom != finding.Loaded || s.Component > 1 {
				continue
			}
			if found++; !near(s.Score, want) || s.Anomalous != (want > 0) {
				t.Errorf("%g MB/s a drive: %+v, want a score of %g", mb, s, want)
			}
		}
		if found != 2 {
			t.Errorf("%d signs of its two drives", found)
		}
	}
}

// TestAskedInOneSentence: the two numbers of a workload imbalance give its ratio. A drive that reads
// as much as its peers has no more work, although some of its peers are idle for most of the time.
func TestAskedInOneSentence(t *testing.T) {
	busy := func(mb, tps, util float64) func(*machine) {
		return func(m *machine) {
			m[window.Read], m[window.Written], m[window.TPS], m[window.Util], m[window.Await] = mb*bytesPerMegabyte/sectorBytes, 0, tps, util, 20
			m[window.TxBytes] = mb * bytesPerMegabyte
		}
	}
	for name, tt := range map[string]struct {
		own    func(*machine)
		metric string
		odd    bool
	}{
		"reads as much":    {busy(20, 100, 40), metric.RdSec.Name, false},
		"reads twice":      {busy(40, 200, 80), metric.RdSec.Name, true},
		"twice as often":   {busy(20, 200, 80), metric.TPS.Name, true},
		"half as much":     {busy(10, 50, 20), metric.RdSec.Name, false},
		"a little oftener": {busy(20, 110, 44), metric.TPS.Name, false},
	} {
		machines := alike(5, busy(20, 100, 40))
		busy(2, 100, 4)(&machines[3]) // peers of unequal work
		busy(1, 100, 2)(&machines[4])
		tt.own(&machines[0])
		machines[0][window.Await] = 60
		d := newDiskDetector(defaultLimits(), len(plain(5).System().Components))
		s := of(windows(plain(5), steady(machines, winSeconds), d.Examine)[0], 5, 0, finding.Asked)
		if s == nil || s.Anomalous != tt.odd || s.Metric != tt.metric {
			t.Errorf("%s: %+v, want odd %t by %s", name, s, tt.odd, tt.metric)
			continue
		}
		if s.Score > s.Own/s.Peers+1e-9 {
			t.Errorf("%s: %g times the work, with %g where its peers have %g", name, s.Score, s.Own, s.Peers)
		}
	}
}

// TestDemandRose: clients request more from all drives, and requests then wait at one of them, whose
// device is busy all the time. The additional load explains the wait. It does not explain the wait of
// a drive that waited before, or that serves less than its peers.
func TestDemandRose(t *testing.T) {
	load := func(mb, util, await float64) func(*machine) {
		return func(m *machine) {
			m[window.Read], m[window.Written], m[window.TxBytes] = mb*bytesPerMegabyte/sectorBytes, 0, mb*bytesPerMegabyte
			m[window.TPS], m[window.Util], m[window.Await] = 5*mb, util, await
		}
	}
	slow, quick := load(25, 100, 200), load(25, 45, 20)
	for name, tt := range map[string]struct {
		before, own, peers func(*machine)
		odd                bool
		doubt              finding.Doubt
	}{
		"all serve more":         {load(20, 40, 20), slow, quick, false, finding.Queues},
		"all serve as usual":     {load(25, 45, 20), slow, quick, true, finding.NoDoubt},
		"waited before":          {load(20, 95, 160), slow, quick, true, finding.NoDoubt},
		"serves less than peers": {load(20, 40, 20), load(20, 100, 200), quick, true, finding.NoDoubt},
		"serves more, peers not": {load(20, 40, 20), load(21, 100, 200), load(20, 40, 20), true, finding.NoDoubt},
	} {
		before, after := alike(6, load(20, 40, 20)), alike(6, tt.peers)
		if name == "all serve as usual" {
			before = alike(6, tt.peers)
		}
		tt.before(&before[0])
		tt.own(&after[0])
		d := newDiskDetector(defaultLimits(), len(plain(6).System().Components))
		all := windows(plain(6), append(steady(before, 2*winSeconds), steady(after, 2*winSeconds)...), d.Examine)
		s := of(all[len(all)-1], 6, 0, finding.Waits)
		if s == nil || s.Anomalous != tt.odd || s.Doubt != tt.doubt {
			t.Errorf("%s: %+v, want anomalous %t, doubt %v", name, s, tt.odd, tt.doubt)
		}
	}
}

// TestDemandBecomesUsual: a load that stays becomes usual, so that it explains no wait for ever.
func TestDemandBecomesUsual(t *testing.T) {
	p := past{now: work{bytes: 100}}
	keep := math.Exp2(-float64(shiftSeconds) / float64(defaultLimits().criteria.SameCauseSeconds))
	p.close(0, keep)
	for hours := 0; ; hours++ {
		if ratio := 200 / p.usual; ratio < defaultLimits().criteria.SmallestTimes {
			if hours < 1 || hours > 6 {
				t.Errorf("twice the load is usual after %d hours", hours)
			}
			return
		}
		for range 3600 / shiftSeconds {
			p.now = work{bytes: 200}
			p.close(0, keep)
		}
	}
}
