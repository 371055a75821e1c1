package table

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
)

// sample is one record of a server with one disk that has served ios requests of 2 ms
// each since boot.
type sample struct {
	time, uptime int64
	ios          uint64
	reboot, gone bool
}

// fold runs samples through a fold as a source does: the last record of each step closes
// it.
func fold(step int64, samples []sample) map[int64]float64 {
	f := NewFold(step, 1)
	got := map[int64]float64{}
	keep := func(s *Step, ok bool) {
		if ok && s.Known[0] {
			got[s.End] = s.Work[0].Value(0, s.Seconds)
		}
	}
	for i, s := range samples {
		if s.reboot {
			keep(f.Flush())
			f.Restart()
		}
		if i+1 < len(samples) && StepOf(samples[i+1].time, step) == StepOf(s.time, step) {
			continue
		}
		r := f.Reading()
		r.Time, r.Uptime = s.time, uint64(s.uptime)*100
		r.Disks[0], r.Present[0] = metric.Disk{IOs: s.ios, ReadMs: uint32(2 * s.ios)}, !s.gone
		keep(f.Close())
	}
	keep(f.Flush())
	return got
}

func TestFold(t *testing.T) {
	tests := map[string]struct {
		samples []sample
		want    map[int64]float64 // tps by end of step
	}{
		"every second": {
			seconds(0, 45, 4),
			map[int64]float64{15: 4, 30: 4, 45: 4},
		},
		"every ten seconds": {
			[]sample{{time: 10, uptime: 110, ios: 0}, {time: 20, uptime: 120, ios: 10}, {time: 30, uptime: 130, ios: 20}, {time: 40, uptime: 140, ios: 50}},
			map[int64]float64{30: 1, 45: 3},
		},
		"clock stepped forward by two minutes": {
			append(seconds(0, 30, 4), sample{time: 151, uptime: 131, ios: 131}, sample{time: 165, uptime: 145, ios: 180}),
			map[int64]float64{15: 4, 30: 4, 165: 4},
		},
		"clock stepped back by four seconds": {
			// The step that ends at 30 contains the work until its second end.
			append(seconds(0, 33, 4), sample{time: 29, uptime: 134, ios: 136}, sample{time: 30, uptime: 135, ios: 140}, sample{time: 45, uptime: 150, ios: 200}),
			map[int64]float64{15: 4, 30: 4, 45: 4},
		},
		"silence of two hours": {
			append(seconds(0, 30, 4), sample{time: 7230, uptime: 7330, ios: 20000}, sample{time: 7245, uptime: 7345, ios: 20030}),
			map[int64]float64{15: 4, 30: 4, 7245: 2},
		},
		"reboot": {
			append(seconds(0, 30, 4), sample{time: 45, uptime: 5, ios: 9, reboot: true}, sample{time: 60, uptime: 20, ios: 24}),
			map[int64]float64{15: 4, 30: 4, 60: 1},
		},
		"reboot soon after a boot": { // uptime and counters are larger than before it
			[]sample{{time: 15, uptime: 10, ios: 5}, {time: 300, uptime: 25, ios: 400, reboot: true}, {time: 315, uptime: 40, ios: 430}},
			map[int64]float64{315: 2},
		},
		"device gone and back": {
			append(seconds(0, 30, 4), sample{time: 45, uptime: 145, gone: true}, sample{time: 60, uptime: 160, ios: 5}, sample{time: 75, uptime: 175, ios: 35}),
			map[int64]float64{15: 4, 30: 4, 75: 2},
		},
		"counter reset": {
			append(seconds(0, 30, 4), sample{time: 45, uptime: 145, ios: 15}, sample{time: 60, uptime: 160, ios: 30}),
			map[int64]float64{15: 4, 30: 4, 60: 1},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := fold(15, tt.samples)
			if len(got) != len(tt.want) {
				t.Errorf("got steps %v, want %v", got, tt.want)
			}
			for end, want := range tt.want {
				if math.Abs(got[end]-want) > 1e-12 {
					t.Errorf("step ending at %d: tps %v, want %v", end, got[end], want)
				}
			}
		})
	}
}

// TestFoldNetwork: traffic is a difference of counters, and congestion windows are those
// at the end of the step.
func TestFoldNetwork(t *testing.T) {
	f := NewFoldOf(10, Shape{NICs: 2, Cwnds: 1})
	read := func(at int64, bytes uint64, up bool, cwnd Average) (*Step, bool) {
		r := f.Reading()
		r.Time, r.Uptime = at, uint64(1000+100*at)
		r.NICs[0], r.NICs[1] = metric.NIC{RxBytes: bytes}, metric.NIC{RxBytes: 5}
		r.Up[0], r.Up[1], r.Cwnds[0] = up, true, cwnd
		return f.Close()
	}
	read(10, 1000, true, Average{Sum: 9, Weight: 1})
	read(20, 1700, true, Average{})
	first, ok := read(30, 0, false, Average{Sum: 30, Weight: 4})
	if !ok || !first.Carried[0] || first.Traffic[0].RxBytes != 700 || !IsMissing(first.Cwnds[0].Value()) {
		t.Errorf("step 20: %+v, %v", first, ok)
	}
	kept := first.Clone()
	second, ok := read(40, 100, true, Average{})
	if !ok || second.Carried[0] || !second.Carried[1] || second.Cwnds[0].Value() != 7.5 {
		t.Errorf("step 30, without the interface: %+v, %v", second, ok)
	}
	if !kept.Carried[0] || kept.Traffic[0].RxBytes != 700 || !IsMissing(kept.Cwnds[0].Value()) || kept.End != 20 {
		t.Errorf("what was kept of step 20 has changed: %+v", kept)
	}
	third, ok := f.Flush()
	if !ok || third.Carried[0] || third.Traffic[1].RxBytes != 0 || !third.Carried[1] {
		t.Errorf("step 40, in which the interface is back: %+v, %v", third, ok)
	}
}

// seconds returns one sample per second with a constant rate.
func seconds(from, to int64, tps uint64) []sample {
	var s []sample
	for at := from; at <= to; at++ {
		s = append(s, sample{time: at, uptime: 100 + at, ios: tps * uint64(at)})
	}
	return s
}

// TestFoldKeepsAllWork: at any interval, the steps together contain every request between
// their first and last end.
func TestFoldKeepsAllWork(t *testing.T) {
	bursts := func(at int64) uint64 { return uint64((at-15)*(at-15)) / 7 }
	for _, interval := range []int64{1, 2, 4, 7, 13, 15} {
		var s []sample
		for at := int64(15); at <= 3015; at += interval {
			s = append(s, sample{time: at, uptime: 100 + at, ios: bursts(at)})
		}
		f, done := NewFold(15, 1), 0.0
		add := func(step *Step, ok bool) {
			if ok {
				done += float64(step.Work[0].IOs)
			}
		}
		for i := range s {
			if i+1 < len(s) && StepOf(s[i+1].time, 15) == StepOf(s[i].time, 15) {
				continue
			}
			r := f.Reading()
			r.Time, r.Uptime, r.Present[0] = s[i].time, uint64(s[i].uptime)*100, true
			r.Disks[0] = metric.Disk{IOs: s[i].ios}
			add(f.Close())
		}
		add(f.Flush())
		want := float64(s[len(s)-1].ios)
		if math.Abs(done-want) > 1e-6 {
			t.Errorf("interval %d s: steps hold %v requests of %v", interval, done, want)
		}
	}
}
