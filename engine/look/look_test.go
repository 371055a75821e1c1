package look_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/look"
)

// A drive is a component of a made-up output.
type drive struct {
	host  string
	slow  float64 // ratio to the latency of a healthy one; 0: 1
	work  float64 // ratio to the work of the others; 0: 1
	size  float64 // ratio to the size of the others' requests; 0: 1
	busy  float64 // percent; 0: 40
	queue float64 // ratio to the queue of the others; 0: as it follows from work and latency
	idle  bool
}

// draw makes a look at drives whose healthy latencies differ by the given spread.
func draw(r *rand.Rand, drives []drive, spread float64) look.Look {
	l := look.Look{Tool: "test", Source: "test"}
	or := func(v, other float64) float64 {
		if v == 0 {
			return other
		}
		return v
	}
	for i, d := range drives {
		s := look.Sample{Component: fmt.Sprintf("d%d", i), Kind: "drives", Host: d.host}
		if !d.idle {
			ms := 5 * or(d.slow, 1) * math.Exp(spread*r.NormFloat64())
			work := 100 * or(d.work, 1) * math.Exp(0.03*r.NormFloat64())
			s.Values = []look.Value{
				{Metric: look.Latency, X: ms},
				{Metric: look.Requests, X: work},
				{Metric: look.Bandwidth, X: work * 64 * or(d.size, 1)},
				{Metric: look.ReqSize, X: 64 * or(d.size, 1)},
				{Metric: look.InFlight, X: or(d.queue, 1) * work * ms / 1000},
				{Metric: look.BusyTime, X: or(d.busy, 40)},
			}
		}
		l.Samples = append(l.Samples, s)
	}
	return l
}

func rank(looks ...look.Look) *look.Ranking { return look.Rank(looks, look.DefaultOptions()) }

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// marks returns the names of the components with a mark.
func marks(r *look.Ranking, m look.Mark) (names []string) {
	for i := range r.Groups {
		for _, c := range r.Groups[i].Components {
			if c.Mark == m {
				names = append(names, c.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func component(t *testing.T, r *look.Ranking, name string) look.Component {
	t.Helper()
	for i := range r.Groups {
		for _, c := range r.Groups[i].Components {
			if c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("the ranking has no %s", name)
	return look.Component{}
}

// TestHealthyIsRarelyMarked counts rankings of healthy groups that mark somebody. Normal spreads
// keep the promise. Peers that differ more than twice may break it by twice.
func TestHealthyIsRarelyMarked(t *testing.T) {
	const rankings = 200
	promise := look.DefaultOptions().FalseMarks
	for _, n := range []int{3, 4, 6, 12, 24, 100} {
		for _, spread := range []float64{0.05, 0.2, 0.4, 0.8} {
			if n < 12 && spread > 0.4 {
				continue // so few peers do not show how wide their spread is
			}
			marked := 0
			for seed := range uint64(rankings) {
				if len(marks(rank(draw(random(seed), make([]drive, n), spread)), look.Apart)) > 0 {
					marked++
				}
			}
			expected := promise * rankings
			if spread > 0.4 {
				expected *= 2 // the spread of a dozen is known by half
			}
			most := expected + 3*math.Sqrt(expected) // three standard deviations of the count
			if float64(marked) > most {
				t.Errorf("%d drives with a spread of %g: %d of %d rankings mark a healthy one, at most %.0f may", n, spread, marked, rankings, most)
			}
		}
	}
}

// TestSlowIsMarked counts how often a slow drive is marked, and no other.
func TestSlowIsMarked(t *testing.T) {
	for _, test := range []struct {
		drives, least int
		slow, spread  float64
	}{{12, 95, 5, 0.2}, {24, 95, 4, 0.2}, {6, 90, 6, 0.15}, {100, 95, 3, 0.2}, {12, 80, 10, 0.4}, {4, 90, 10, 0.15}} {
		found := 0
		for seed := range uint64(100) {
			drives := make([]drive, test.drives)
			drives[1].slow, drives[1].busy = test.slow, 90
			if slices.Equal(marks(rank(draw(random(seed), drives, test.spread)), look.Apart), []string{"d1"}) {
				found++
			}
		}
		if found < test.least {
			t.Errorf("%d drives, %g times slower, spread %g: found in %d of 100 looks, not %d", test.drives, test.slow, test.spread, found, test.least)
		}
	}
}

// TestSlowOnesDoNotHideEachOther has a third of a group slow.
func TestSlowOnesDoNotHideEachOther(t *testing.T) {
	drives := make([]drive, 24)
	var want []string
	for i := range 8 {
		drives[3*i].slow, drives[3*i].busy = 5, 90
		want = append(want, fmt.Sprintf("d%d", 3*i))
	}
	slices.Sort(want)
	r := rank(draw(random(1), drives, 0.2))
	if got := marks(r, look.Apart); !slices.Equal(got, want) {
		t.Errorf("%v stand apart, not %v", got, want)
	}
	if !slices.Contains(r.Groups[0].Limits, look.SlowAlike) || !slices.Contains(r.Groups[0].Limits, look.UnknownHosts) {
		t.Errorf("limits %v: the slow ones may be of another kind, and their servers are unknown", r.Groups[0].Limits)
	}
}

// TestQueueIsNoFault has a drive with two to three times the queue, and with the same bandwidth
// but for 3 %.
func TestQueueIsNoFault(t *testing.T) {
	for seed := range uint64(50) {
		for _, times := range []float64{2, 2.5, 3} {
			drives := make([]drive, 12)
			drives[4] = drive{slow: times, work: 1.03}
			r := rank(draw(random(seed), drives, 0.05))
			if got := marks(r, look.Apart); got != nil {
				t.Fatalf("seed %d: a queue of %g times makes %v stand apart", seed, times, got)
			}
			c := component(t, r, "d4")
			if c.Mark == look.Explained && !slices.ContainsFunc(c.Reasons, func(r look.Reason) bool { return r.Cause == look.LongerQueue && r.Explains }) {
				t.Errorf("seed %d: the reasons %v have no queue", seed, c.Reasons)
			}
		}
	}
}

// TestServiceTimeIsNoQueue has the same queue, and a drive that is busier for the same work.
func TestServiceTimeIsNoQueue(t *testing.T) {
	drives := make([]drive, 24)
	drives[4] = drive{slow: 3.5, work: 1, busy: 95}
	if got := marks(rank(draw(random(3), drives, 0.1)), look.Apart); !slices.Equal(got, []string{"d4"}) {
		t.Errorf("%v stand apart, not d4", got)
	}
}

func TestWorkAndSizeExplain(t *testing.T) {
	for _, test := range []struct {
		drive drive
		cause look.Cause
	}{
		{drive{slow: 3, work: 2.5, busy: 90}, look.MoreWork},
		{drive{slow: 3.5, size: 4}, look.LargerSize},
	} {
		drives := make([]drive, 24)
		drives[7] = test.drive
		r := rank(draw(random(2), drives, 0.1))
		c := component(t, r, "d7")
		if c.Mark != look.Explained || !slices.ContainsFunc(c.Reasons, func(r look.Reason) bool { return r.Cause == test.cause && r.Explains }) {
			t.Errorf("%+v: %s, %+v", test.drive, c.Mark, c.Reasons)
		}
		if hosts, components := r.Apart(); hosts+components > 0 {
			t.Errorf("%+v: %d servers and %d components stand apart", test.drive, hosts, components)
		}
	}
}

// hosts returns drives of some servers. Those of the slow servers are slower.
func hosts(servers, each int, slow float64, slowServers ...int) (drives []drive) {
	for s := range servers {
		for range each {
			d := drive{host: fmt.Sprintf("fs%d", s)}
			if slices.Contains(slowServers, s) {
				d.slow, d.busy = slow, 90
			}
			drives = append(drives, d)
		}
	}
	return drives
}

func hostNames(r *look.Ranking) (names []string) {
	for i := range r.Groups {
		for _, h := range r.Groups[i].Hosts {
			names = append(names, h.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestEightOnTwoServersAreTwoServers has eight slow drives on two of six servers.
func TestEightOnTwoServersAreTwoServers(t *testing.T) {
	for seed := range uint64(40) {
		r := rank(draw(random(seed), hosts(6, 4, 5, 1, 4), 0.2))
		if got := hostNames(r); !slices.Equal(got, []string{"fs1", "fs4"}) {
			t.Fatalf("seed %d: the servers %v stand apart, not fs1 and fs4", seed, got)
		}
		if got := marks(r, look.Apart); got != nil {
			t.Errorf("seed %d: %v are blamed beside their servers", seed, got)
		}
		for _, h := range r.Groups[0].Hosts {
			if h.SlowComponents < 3 || h.ComparedComponents != 4 {
				t.Errorf("seed %d: %d of %d are slow on %s", seed, h.SlowComponents, h.ComparedComponents, h.Name)
			}
		}
	}
}

// TestSlowOnesShareServers has slow drives that are a part of the drives of two servers. Scattered
// ones are no matter of servers.
func TestSlowOnesShareServers(t *testing.T) {
	drives := hosts(6, 8, 1)
	for _, i := range []int{9, 10, 12, 15, 33, 34, 36, 38} {
		drives[i].slow, drives[i].busy = 6, 90
	}
	r := rank(draw(random(5), drives, 0.15))
	if got := hostNames(r); !slices.Equal(got, []string{"fs1", "fs4"}) || marks(r, look.Apart) != nil {
		t.Errorf("servers %v and drives %v, not fs1 and fs4", got, marks(r, look.Apart))
	}
	if h := r.Groups[0].Hosts[0]; h.SlowComponents != 4 || h.ComparedComponents != 8 || h.Times < 4 || h.Times > 9 {
		t.Errorf("%+v: 4 of 8 are 6 times slower", h)
	}
	drives = hosts(6, 8, 1)
	for _, i := range []int{1, 9, 12, 20, 25, 33, 41, 47} {
		drives[i].slow, drives[i].busy = 6, 90
	}
	r = rank(draw(random(5), drives, 0.15))
	if got := hostNames(r); got != nil || len(marks(r, look.Apart)) != 8 {
		t.Errorf("servers %v and drives %v: eight scattered drives", got, marks(r, look.Apart))
	}
}

// TestSlowDriveOnSlowServer keeps a drive that is slow among those of its slow server.
func TestSlowDriveOnSlowServer(t *testing.T) {
	drives := hosts(6, 8, 4, 2)
	drives[17].slow = 40
	r := rank(draw(random(5), drives, 0.15))
	if got := hostNames(r); !slices.Equal(got, []string{"fs2"}) {
		t.Errorf("servers %v, not fs2", got)
	}
	if got := marks(r, look.Apart); !slices.Equal(got, []string{"d17"}) {
		t.Errorf("%v stand apart, not d17", got)
	}
}

// TestServersWithOtherWork compares drives with those of their own server, if servers differ.
func TestServersWithOtherWork(t *testing.T) {
	drives := hosts(2, 12, 4, 1)
	drives[3].slow, drives[3].busy = 8, 95
	drives[20].slow, drives[20].busy = 32, 95
	r := rank(draw(random(1), drives, 0.1))
	if got := marks(r, look.Apart); !slices.Equal(got, []string{"d20", "d3"}) {
		t.Errorf("%v stand apart, not d3 and d20", got)
	}
}

// TestTwoOfThree has two slow drives of three: the third is not odd, and nobody knows who is.
func TestTwoOfThree(t *testing.T) {
	r := rank(draw(random(1), []drive{{slow: 10}, {}, {slow: 10}}, 0.1))
	if hosts, components := r.Apart(); hosts+components > 0 || len(marks(r, look.Unsure)) > 0 {
		t.Errorf("somebody is blamed: %+v", r.Groups[0].Components)
	}
	s := r.Groups[0].Split
	if s == nil || !slices.Equal(s.Slow, []string{"d0", "d2"}) || !slices.Equal(s.Fast, []string{"d1"}) {
		t.Errorf("split %+v", s)
	}
}

// TestHalfIsNotUnsure has half of a group slow, on unknown servers: nobody may be slow more than
// others.
func TestHalfIsNotUnsure(t *testing.T) {
	drives := make([]drive, 8)
	for i := range 4 {
		drives[i].slow = 6
	}
	r := rank(draw(random(1), drives, 0.1))
	if s := r.Groups[0].Split; s == nil || len(s.Slow) != 4 {
		t.Errorf("split %+v", s)
	}
	if got := append(marks(r, look.Apart), marks(r, look.Unsure)...); got != nil {
		t.Errorf("%v are marked", got)
	}
}

// values makes a look at OSDs with the given latencies.
func values(ms ...float64) look.Look {
	l := look.Look{Tool: "ceph osd perf", Source: "test"}
	for i, x := range ms {
		l.Samples = append(l.Samples, look.Sample{Component: fmt.Sprintf("osd.%d", i), Kind: "OSDs", Values: []look.Value{{Metric: look.Latency, X: x, Step: 1}}})
	}
	return l
}

// TestSplitComparesWithTheFastPart holds the rows of a split group against its headline: both have
// the ratio to the fast part.
func TestSplitComparesWithTheFastPart(t *testing.T) {
	for _, ms := range [][]float64{{5, 5, 6, 30, 31, 30}, {36, 24, 18, 5, 3, 6}} {
		r := rank(values(ms...))
		s := r.Groups[0].Split
		if s == nil || !r.Undecided() || len(s.Slow) != 3 || len(s.Fast) != 3 {
			t.Errorf("%v: split %+v", ms, s)
			continue
		}
		var times []float64
		for _, name := range s.Slow {
			m := component(t, r, name).Measures[0]
			times = append(times, m.Times)
			if m.Peers != 5 && math.Abs(m.Peers-5) > 1e-9 || math.Abs(m.Value/m.Peers-m.Times) > 1e-9 {
				t.Errorf("%v: %s has the value %g, %g of the peers, and is %g times slower", ms, name, m.Value, m.Peers, m.Times)
			}
		}
		slices.Sort(times)
		if math.Abs(times[1]-s.Times) > 1e-9 {
			t.Errorf("%v: the rows say %v times, the headline %g", ms, times, s.Times)
		}
	}
}

// TestHealthyIsRarelySplit counts healthy groups that are called split, or that lose a member as one
// of another kind.
func TestHealthyIsRarelySplit(t *testing.T) {
	for _, n := range []int{3, 4, 5, 6, 8, 12, 24} {
		wrong := 0
		for seed := range uint64(200) {
			r := rank(draw(random(seed), make([]drive, n), 0.25))
			if r.Undecided() || marks(r, look.OtherKind) != nil {
				wrong++
			}
		}
		if wrong > 10 {
			t.Errorf("%d drives: %d of 200 healthy groups have two parts", n, wrong)
		}
	}
}

// TestFewFastOnesAreOfAnotherKind has an SSD among hard disks: the disks are not slow, and are
// compared with each other.
func TestFewFastOnesAreOfAnotherKind(t *testing.T) {
	disks := []float64{10.2, 10.9, 9.8, 11, 10.5, 10.6, 10.65, 0.3}
	r := rank(values(disks...))
	if hosts, components := r.Apart(); hosts+components > 0 || r.Undecided() || marks(r, look.Unsure) != nil {
		t.Errorf("the disks are blamed: %+v", r.Groups[0])
	}
	if got := marks(r, look.OtherKind); !slices.Equal(got, []string{"osd.7"}) || !slices.Contains(r.Groups[0].Limits, look.SomeOfOtherKind) || r.Compared() != 7 {
		t.Errorf("%v are of another kind, limits %v, %d compared", got, r.Groups[0].Limits, r.Compared())
	}
	disks[2] = 120
	r = rank(values(disks...))
	if got := marks(r, look.Apart); !slices.Equal(got, []string{"osd.2"}) || !slices.Equal(marks(r, look.OtherKind), []string{"osd.7"}) {
		t.Errorf("%v stand apart, not osd.2: %+v", got, r.Groups[0].Components)
	}
}

// TestValuesWereMeasured has OSDs with values of whole milliseconds, of which one is slow in the last
// outputs. A healthy OSD has the median of its own values, and each line belongs together.
func TestValuesWereMeasured(t *testing.T) {
	r := rank(values(3, 4, 3, 4, 3), values(5, 6, 6, 7, 6), values(7, 6, 8, 900, 7), values(3, 4, 3, 800, 4), values(5, 7, 6, 1000, 6))
	for name, want := range map[string]float64{"osd.0": 5, "osd.1": 6, "osd.2": 6, "osd.4": 6} {
		if m := component(t, r, name).Measures[0]; math.Abs(m.Value-want) > 1e-9 || m.SomeLooks {
			t.Errorf("%s has the value %g, and its median is %g", name, m.Value, want)
		}
	}
	slow := component(t, r, "osd.3")
	if m := slow.Measures[0]; slow.Mark != look.Apart || slow.ApartLooks != 3 || !m.SomeLooks || math.Abs(m.Value-math.Cbrt(900*800*1000)) > 1e-6 || m.Peers > 7 {
		t.Errorf("osd.3 is %s in %d looks, with %+v", slow.Mark, slow.ApartLooks, m)
	}
	for _, c := range r.Groups[0].Components {
		if m := c.Measures[0]; math.Abs(m.Value/m.Peers-m.Times) > 1e-9*m.Times {
			t.Errorf("%s: %g, peers %g, %g times", c.Name, m.Value, m.Peers, m.Times)
		}
	}
	if b := r.Groups[0].Bands[0]; math.Abs(b.Median-6) > 1e-9 {
		t.Errorf("the median of the peers is %g, and their values are 5, 6, 6 and 6", b.Median)
	}
}

// TestValueIsOfTheLooksThatDiffer has a slow output and a healthy one, in both orders.
func TestValueIsOfTheLooksThatDiffer(t *testing.T) {
	slow, healthy := values(7, 7.1, 6.9, 31.9, 7.2, 7, 6.8, 7, 7.1, 7), values(6.8, 7, 7, 7.05, 7, 7.1, 6.9, 7, 6.7, 7)
	for newest, looks := range map[bool][]look.Look{true: {healthy, slow}, false: {slow, healthy}} {
		r := rank(looks...)
		c := component(t, r, "osd.3")
		m, band := c.Measures[0], r.Groups[0].Bands[0]
		if c.ApartLooks != 1 || c.Newest != newest || math.Abs(m.Value-31.9) > 1e-9 || math.Abs(m.Value/m.Peers-m.Times) > 1e-9 {
			t.Errorf("apart in %d looks, newest %t, value %g, peers %g, times %g: 31.9 is the value that differs", c.ApartLooks, c.Newest, m.Value, m.Peers, m.Times)
		}
		if band.Max < m.Value {
			t.Errorf("the band goes to %g, and a value is %g", band.Max, m.Value)
		}
	}
}

// TestHalfOnOneOfTwoServers names the server of the slower half, and blames nobody.
func TestHalfOnOneOfTwoServers(t *testing.T) {
	r := rank(draw(random(1), hosts(2, 4, 6, 1), 0.1))
	if hosts, components := r.Apart(); hosts+components > 0 {
		t.Errorf("somebody is blamed: %+v", r.Groups[0])
	}
	if s := r.Groups[0].Split; s == nil || !slices.Equal(s.Hosts, []string{"fs1"}) {
		t.Errorf("split %+v: its slower part is fs1", s)
	}
}

func TestFewPeersAreSaid(t *testing.T) {
	r := rank(draw(random(1), []drive{{}, {slow: 50}}, 0.1))
	if got := r.Compared(); got != 0 || !slices.Contains(r.Groups[0].Limits, look.FewPeers) {
		t.Errorf("%d of two drives are compared, limits %v", got, r.Groups[0].Limits)
	}
	r = rank(draw(random(1), []drive{{}, {idle: true}, {idle: true}, {slow: 50}}, 0.1))
	if got := r.Compared(); got != 0 || !slices.Equal(marks(r, look.Idle), []string{"d1", "d2"}) {
		t.Errorf("%d are compared, %v idle", got, marks(r, look.Idle))
	}
}

// series makes looks at the same drives, a minute apart. The function at changes the drives of
// each look.
func series(seed uint64, n int, spread float64, drives []drive, at func(k int, drives []drive)) (looks []look.Look) {
	r := random(seed)
	for k := range n {
		now := slices.Clone(drives)
		if at != nil {
			at(k, now)
		}
		l := draw(r, now, spread)
		l.Time = time.Date(2026, 11, 15, 3, k, 0, 0, time.UTC)
		looks = append(looks, l)
	}
	return looks
}

// TestLooksAddUp has a drive that is too little slow for one look, and persists.
func TestLooksAddUp(t *testing.T) {
	drives := make([]drive, 12)
	drives[2].slow, drives[2].busy = 1.8, 80
	looks := series(1, 8, 0.15, drives, nil)
	if got := marks(rank(looks[0]), look.Apart); got != nil {
		t.Fatalf("one look marks %v", got)
	}
	r := rank(looks...)
	if got := marks(r, look.Apart); !slices.Equal(got, []string{"d2"}) {
		t.Fatalf("eight looks mark %v", got)
	}
	if c := component(t, r, "d2"); c.Measures[0].Low > 1.8 || c.Measures[0].High < 1.8 {
		t.Errorf("%.3g times slower, from %.3g to %.3g: the truth is 1.8", c.Measures[0].Times, c.Measures[0].Low, c.Measures[0].High)
	}
}

func TestSureGrows(t *testing.T) {
	drives := make([]drive, 12)
	drives[2].slow, drives[2].busy = 8, 95
	for n, want := range map[int]look.Certainty{1: look.OneLook, 2: look.Again, 4: look.Again, 5: look.Persists, 20: look.Persists} {
		c := component(t, rank(series(1, n, 0.15, drives, nil)...), "d2")
		if c.Mark != look.Apart || c.Certainty != want || c.ApartLooks != n {
			t.Errorf("%d looks: %s, %q, seen in %d; %q is right", n, c.Mark, c.Certainty, c.ApartLooks, want)
		}
	}
}

// TestOnsetWithinLooks has a drive that becomes slow after many looks.
func TestOnsetWithinLooks(t *testing.T) {
	for _, last := range []int{1, 3, 10} {
		looks := series(1, 40, 0.15, make([]drive, 12), func(k int, drives []drive) {
			if k >= 40-last {
				drives[2].slow, drives[2].busy = 20, 95
			}
		})
		c := component(t, rank(looks...), "d2")
		want := time.Date(2026, 11, 15, 3, 40-last, 0, 0, time.UTC)
		if c.Mark != look.Apart || c.ApartLooks < last || c.ApartLooks > last+1 || !c.Since.Equal(want) {
			t.Errorf("slow in the last %d looks: %s, seen in %d, since %s; %s is right", last, c.Mark, c.ApartLooks, c.Since, want)
		}
		if c.Measures[0].Times < 15 || c.Measures[0].Times > 27 {
			t.Errorf("slow in the last %d looks: %.3g times, the truth is 20", last, c.Measures[0].Times)
		}
	}
}

// TestScaleDoesNotMatter multiplies all latencies.
func TestScaleDoesNotMatter(t *testing.T) {
	drives := hosts(5, 5, 4, 3)
	drives[1].slow = 12
	plain := draw(random(9), drives, 0.2)
	scaled := draw(random(9), drives, 0.2)
	for i := range scaled.Samples {
		for j := range scaled.Samples[i].Values {
			if v := &scaled.Samples[i].Values[j]; v.Metric == look.Latency {
				v.X *= 1000
			}
		}
	}
	a, b := rank(plain), rank(scaled)
	for i, c := range a.Groups[0].Components {
		d := b.Groups[0].Components[i]
		if c.Name != d.Name || c.Mark != d.Mark || math.Abs(c.Measures[0].Times/d.Measures[0].Times-1) > 1e-9 {
			t.Errorf("place %d: %s %s %g, and scaled %s %s %g", i, c.Name, c.Mark, c.Measures[0].Times, d.Name, d.Mark, d.Measures[0].Times)
		}
	}
	if !slices.Equal(hostNames(a), hostNames(b)) {
		t.Errorf("servers %v, and scaled %v", hostNames(a), hostNames(b))
	}
}

// TestOrderDoesNotMatter changes the order of lines.
func TestOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		drives := hosts(6, 4, 5, 2)
		drives[0].slow = 9
		l := draw(random(seed), drives, 0.3)
		want := rank(l)
		other := l
		other.Samples = slices.Clone(l.Samples)
		random(seed+100).Shuffle(len(other.Samples), func(i, j int) {
			other.Samples[i], other.Samples[j] = other.Samples[j], other.Samples[i]
		})
		if got := rank(other); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: another order of lines gives\n%+v\nand not\n%+v", seed, got.Groups[0].Components, want.Groups[0].Components)
		}
	}
}

// TestDuplicatesDoNotCount repeats lines and whole outputs.
func TestDuplicatesDoNotCount(t *testing.T) {
	drives := make([]drive, 12)
	drives[3].slow, drives[3].busy = 6, 90
	l := draw(random(4), drives, 0.15)
	want := rank(l)
	twice := l
	twice.Samples = append(slices.Clone(l.Samples), l.Samples...)
	if got := rank(twice); !reflect.DeepEqual(got, want) {
		t.Errorf("each line twice gives %+v, and not %+v", got.Groups[0].Components, want.Groups[0].Components)
	}
	got := rank(l, l, l)
	if got.Repeated != 2 || got.Looks != 1 || !reflect.DeepEqual(got.Groups, want.Groups) {
		t.Errorf("the same print three times is %d looks, %d repeated", got.Looks, got.Repeated)
	}
	// A file with several outputs is given twice.
	other := draw(random(5), drives, 0.15)
	other.Time = l.Time.Add(time.Minute)
	once, again := rank(l, other), rank(l, other, l, other)
	if again.Repeated != 2 || again.Looks != 2 || !reflect.DeepEqual(again.Groups, once.Groups) {
		t.Errorf("two prints, given twice, are %d looks, %d repeated", again.Looks, again.Repeated)
	}
}

// TestCounters has two outputs of counters: the present is their difference.
func TestCounters(t *testing.T) {
	page := func(slow bool, at time.Time) look.Look {
		l := look.Look{Tool: "test", Source: "test", Time: at, Span: look.SinceStart, Zoned: true}
		for i := range 8 {
			ms, requests := 5e6, 1e6 // 5 ms since the start
			if !at.Equal(time.Unix(0, 0)) {
				ms, requests = ms+5*600, requests+600
				if i == 3 && slow {
					ms += 45 * 600
				}
			}
			l.Samples = append(l.Samples, look.Sample{Component: fmt.Sprint("d", i), Kind: "drives", Counters: []look.Counter{
				{Metric: look.Latency, Sum: ms, Count: requests}, {Metric: look.Requests, Sum: requests, Count: look.PerSecond},
			}})
		}
		return l
	}
	before, after := page(false, time.Unix(0, 0)), page(true, time.Unix(60, 0))
	if got := marks(rank(after), look.Apart); got != nil {
		t.Errorf("since the start, %v stand apart", got)
	}
	r := rank(before, after)
	c := component(t, r, "d3")
	if c.Mark != look.Apart || math.Abs(c.Measures[0].Value-50) > 0.01 || math.Abs(c.Measures[0].Times-10) > 0.01 {
		t.Errorf("d3: %s, %g ms, %g times; 50 ms and 10 times are right", c.Mark, c.Measures[0].Value, c.Measures[0].Times)
	}
	if slices.Contains(r.Groups[0].Limits, look.NotThePresent) {
		t.Error("the difference of two prints is the present")
	}
}

// TestCoarseValues has whole milliseconds: 0 and 1 are the same, and one of 40 stands apart.
func TestCoarseValues(t *testing.T) {
	l := look.Look{Tool: "test", Source: "test"}
	for i := range 12 {
		x := float64(i % 2)
		if i == 5 {
			x = 40
		}
		l.Samples = append(l.Samples, look.Sample{Component: fmt.Sprint("d", i), Kind: "OSDs", Values: []look.Value{{Metric: look.Latency, X: x, Step: 1}}})
	}
	r := rank(l)
	if got := marks(r, look.Apart); !slices.Equal(got, []string{"d5"}) {
		t.Errorf("%v stand apart", got)
	}
	if c := component(t, r, "d5"); !c.Measures[0].AtLeast {
		t.Error("the peers are below what the tool can print: 40 times is a lower bound")
	}
	if !slices.Contains(r.Groups[0].Limits, look.Coarse) {
		t.Errorf("limits %v", r.Groups[0].Limits)
	}
}

// TestIntervalsHoldTheTruth counts intervals that hold the true ratio.
func TestIntervalsHoldTheTruth(t *testing.T) {
	held := 0
	const looks = 400
	for seed := range uint64(looks) {
		// The truth is the ratio of this look's value to the median of healthy drives, which is 5
		// ms.
		drives := make([]drive, 16)
		drives[3].slow, drives[3].busy = 6, 90
		l := draw(random(seed), drives, 0.25)
		truth := l.Samples[3].Values[0].X / 5
		m := component(t, rank(l), "d3").Measures[0]
		if m.Low <= truth && truth <= m.High {
			held++
		}
	}
	if held < looks*85/100 {
		t.Errorf("%d of %d intervals hold the truth, 90 %% are promised", held, looks)
	}
}

func TestOptionsValidate(t *testing.T) {
	o := look.DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	for _, bad := range []look.Options{{}, {FalseMarks: 2, SlowTimes: 2, OftenTimes: 1.5, OftenLooks: 5}, {FalseMarks: 0.1, SlowTimes: 1.2, OftenTimes: 1.5, OftenLooks: 5}, {FalseMarks: 0.1, SlowTimes: 2, OftenTimes: 1.5}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// TestHalfSlowInSeveralLooks: in several looks, half of a group may stand apart, one component after
// the other. The ranking then states that a comparison cannot show which half is normal.
func TestHalfSlowInSeveralLooks(t *testing.T) {
	var looks []look.Look
	for k := range 2 {
		l := look.Look{Tool: "iostat -x", Source: "iostat -x vm"}
		for i := range 24 {
			ms := 1.0
			if i < 11 || i == 11+k { // another component is slow in each look
				ms = 100 * float64(i+2)
			}
			l.Samples = append(l.Samples, look.Sample{Component: fmt.Sprintf("loop%d", i), Kind: "loop devices", Values: []look.Value{{Metric: look.ReadLatency, X: ms}}})
		}
		looks = append(looks, l)
	}
	g := look.Rank(looks, look.DefaultOptions()).Groups[0]
	apart := 0
	for _, c := range g.Components {
		if c.Mark == look.Apart {
			apart++
		}
	}
	if has := g.Split != nil || slices.Contains(g.Limits, look.HalfSlow); apart < 12 || !has {
		t.Errorf("%d of 24 stand apart, limits %v", apart, g.Limits)
	}
}
