package testbench

import (
	"math/rand/v2"
	"testing"
)

var barracuda = barracudaModel()

// elsewhere is where a hog reads.
var elsewhere = 0.8 * barracuda.Size

func newDisk() (*Disk[int], *int) {
	done := new(int)
	return NewDisk(&barracuda, rand.New(rand.NewPCG(1, 1)), 1, 1, func(int) { *done++ }), done
}

// Reading in one stretch runs at the disk's own speed; reading here and there
// takes a seek and half a turn each time.
func TestDiskSpeed(t *testing.T) {
	d, done := newDisk()
	d.Submit(0, false, 0, 720e6)
	d.Work(60)
	between(t, "seconds for ten seconds' worth of data", d.counters.BusySeconds, 7, 14)
	if *done != 1 {
		t.Fatalf("%d tasks done", *done)
	}
	d, _ = newDisk()
	const pieces = 500
	for i := range pieces {
		d.Submit(0, false, float64(i*7919%pieces)/pieces*barracuda.Size, 4096)
	}
	d.Work(60)
	between(t, "ms of a random read", 1000*d.counters.BusySeconds/pieces, 9, 18)
}

// The counters obey Little's law: time in the queue is waiting time summed.
func TestDiskCounters(t *testing.T) {
	d, _ := newDisk()
	for i := range 40 {
		d.Submit(0, i%2 == 0, float64(i)*1e9, 1e6)
		d.Work(float64(i+1) * 0.02)
	}
	d.Work(60)
	d.account(60)
	between(t, "queue time against waiting time", d.counters.QueueSeconds/(d.counters.ReadSeconds+d.counters.WriteSeconds), 0.999, 1.001)
	if d.counters.ReadBytes != 20e6 || d.counters.WriteBytes != 20e6 || d.counters.IOs != 80 || d.inFlight != 0 {
		t.Errorf("%v B read, %v written in %d requests, %v left", d.counters.ReadBytes, d.counters.WriteBytes, d.counters.IOs, d.inFlight)
	}
	if d.counters.BusySeconds > d.counters.QueueSeconds {
		t.Errorf("busy for %v s, with a queue for %v", d.counters.BusySeconds, d.counters.QueueSeconds)
	}
}

// A hog takes half of the disk from one who reads alone, and is seen; a
// stranger takes more and is not.
func TestHogAndStranger(t *testing.T) {
	served := func(disturb func(*Disk[int])) (own, seen float64) {
		d, _ := newDisk()
		disturb(d)
		d.Submit(0, false, 0, 1e12)
		d.Work(100)
		return 1e12 - left(d, 0), d.counters.ReadBytes
	}
	alone, _ := served(func(*Disk[int]) {})
	own, seen := served(func(d *Disk[int]) { d.Submit(1, false, elsewhere, 1e12) })
	between(t, "what is left beside a hog", own/alone, 0.35, 0.6)
	between(t, "what the server sees beside a hog", seen/own, 1.8, 2.2)
	own, seen = served(func(d *Disk[int]) { d.Disturb(1, elsewhere) })
	between(t, "what is left beside a stranger", own/alone, 0.1, 0.35)
	between(t, "what the server sees beside a stranger", seen/own, 0.99, 1.01)
}

// left is what a task has still to do.
func left(d *Disk[int], what int) float64 {
	for _, t := range append([]*task[int]{d.turn}, d.line...) {
		if t != nil && t.what == what {
			return t.left
		}
	}
	return 0
}
