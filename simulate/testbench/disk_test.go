package testbench

import (
	"testing"
)

func newDisk() (*disk, *int) {
	done := new(int)
	return &disk{rng: source(1, "disk", 0), speed: 1, slowness: 1, finished: func(*op) { *done++ }}, done
}

// Reading in one stretch runs at the disk's own speed; reading here and there
// takes a seek and half a turn each time.
func TestDiskSpeed(t *testing.T) {
	d, done := newDisk()
	d.submit(&op{}, false, 0, 720e6)
	d.work(60)
	between(t, "seconds for ten seconds' worth of data", d.busySeconds, 7, 14)
	if *done != 1 {
		t.Fatalf("%d tasks done", *done)
	}
	d, _ = newDisk()
	const pieces = 500
	for i := range pieces {
		d.submit(&op{}, false, float64(i*7919%pieces)/pieces*diskSize, 4096)
	}
	d.work(60)
	between(t, "ms of a random read", 1000*d.busySeconds/pieces, 9, 18)
}

// The counters obey Little's law: time in the queue is waiting time summed.
func TestDiskCounters(t *testing.T) {
	d, _ := newDisk()
	for i := range 40 {
		d.submit(&op{}, i%2 == 0, float64(i)*1e9, 1e6)
		d.work(float64(i+1) * 0.02)
	}
	d.work(60)
	d.account(60)
	between(t, "queue time against waiting time", d.queueSeconds/(d.readSeconds+d.writeSeconds), 0.999, 1.001)
	if d.readBytes != 20e6 || d.writeBytes != 20e6 || d.ios != 80 || d.inFlight != 0 {
		t.Errorf("%v B read, %v written in %d requests, %v left", d.readBytes, d.writeBytes, d.ios, d.inFlight)
	}
	if d.busySeconds > d.queueSeconds {
		t.Errorf("busy for %v s, with a queue for %v", d.busySeconds, d.queueSeconds)
	}
}

// A hog takes half of the disk from one who reads alone, and is seen; a
// stranger takes more and is not.
func TestHogAndStranger(t *testing.T) {
	served := func(disturb func(*disk)) (own, seen float64) {
		d, _ := newDisk()
		disturb(d)
		d.submit(&op{}, false, 0, 1e12)
		d.work(100)
		return 1e12 - left(d, 0), d.readBytes
	}
	alone, _ := served(func(*disk) {})
	own, seen := served(func(d *disk) { d.submit(&op{tag: 1}, false, hogAt, 1e12) })
	between(t, "what is left beside a hog", own/alone, 0.35, 0.6)
	between(t, "what the server sees beside a hog", seen/own, 1.8, 2.2)
	own, seen = served(func(d *disk) { d.behind = stranger{strength: 1, at: hogAt} })
	between(t, "what is left beside a stranger", own/alone, 0.1, 0.35)
	between(t, "what the server sees beside a stranger", seen/own, 0.99, 1.01)
}

// left is what a task has still to do.
func left(d *disk, tag int) float64 {
	for _, t := range append([]*task{d.turn}, d.line...) {
		if t != nil && t.op.tag == tag {
			return t.left
		}
	}
	return 0
}
