package arrays

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// An Attachment is a LUN as a block device of one server.
type Attachment struct {
	Component int // of the topology
	Name      string
	Priority  int
	LUN       *LUN
	Server    *Server
	device    device
	rng       dice
	counters
	beganMs float64 // of queueMs when the interval began

	// In this interval:
	Gone    bool    // the device is not there
	Unused  bool    // it is there, and its server does not use it
	Own     Flow    // what the server itself asks of it,
	OwnMs   float64 // and how long that takes
	Inner   Flow    // what the controller asks of it,
	InnerMs float64 // and how long that takes
	touched bool    // its counters may move
}

// Mend undoes what events did to it.
func (a *Attachment) Mend() {
	a.Gone, a.Unused = false, false
	a.Own, a.OwnMs, a.Inner, a.InnerMs = Flow{}, 0, Flow{}, 0
}

// probe is what a server reads of a device that it finds: its size, its
// labels. Without it, sadc would leave the idle ones out.
var probe = work{ios: 64, sectors: 64 * pageSectors, ms: 64 * cachedMs}

// cachedMs is what a small request takes that the controller has the answer
// of (L13 §5.3.2: below 1 ms).
const cachedMs = 0.5

// past is what clients asked of a LUN, on average, since its server was
// started.
var past = []Stream{{Flow{PerSecond: 20, KiB: 256}, false}, {Flow{PerSecond: 20, KiB: 512}, true}}

// begin sets the counters to what they have come to in seconds of uptime.
func (a *Attachment) begin(seconds float64) {
	a.find()
	if a != a.LUN.serving() {
		return
	}
	for _, f := range past {
		f = f.Of(a.LUN.share)
		a.add(requests(a.rng, f, int(f.PerSecond*seconds), a.LUN.service.ms(f)))
	}
	a.busyMs += busyFor(seconds*1000, a.queueMs()/(seconds*1000))
	a.beganMs = a.queueMs()
}

// find begins the counters anew, as for a device that comes up.
func (a *Attachment) find() {
	a.counters = counters{}
	a.add(probe)
	a.busyMs = probe.ms
	a.beganMs = a.queueMs()
}

// serve counts requests of clients. Those of a LUN that has no attachment left
// are lost.
func (a *Attachment) serve(w work) {
	if a != nil {
		a.add(w)
		a.Server.moved(w)
	}
}

// end accounts for what cannot be told before all of an interval is.
func (a *Attachment) end(dt float64) {
	if a.Gone {
		a.find()
		return
	}
	a.ask(a.Own, a.OwnMs, dt)
	a.ask(a.Inner, a.InnerMs, dt)
	a.busyMs += busyFor(dt*1000, (a.queueMs()-a.beganMs)/(dt*1000))
	a.beganMs = a.queueMs()
}

// ask counts requests that no client makes.
func (a *Attachment) ask(f Flow, ms, dt float64) {
	if f.PerSecond > 0 && !a.Unused {
		a.add(requests(a.rng, Stream{Flow: f}, a.rng.Poisson(f.PerSecond*dt), ms))
	}
}

// disk is the device as an activity file has it.
func (a *Attachment) disk() sysstat.Disk {
	return sysstat.Disk{
		Major: a.device.major, Minor: a.device.minor, WWN: a.device.wwn,
		IOs: a.ios, ReadSectors: a.readSectors, WriteSectors: a.writeSectors,
		ReadTicks: ticks(a.readMs), WriteTicks: ticks(a.writeMs),
		BusyTicks: ticks(a.busyMs), QueueTicks: ticks(a.queueMs()),
	}
}

// Read gives the same to those who need no file.
func (a *Attachment) Read(d *metric.Disk) {
	d.IOs, d.ReadSectors, d.WriteSectors = a.ios, a.readSectors, a.writeSectors
	d.ReadMs, d.WriteMs = ticks(a.readMs), ticks(a.writeMs)
	d.BusyMs, d.QueueMs = ticks(a.busyMs), ticks(a.queueMs())
}
