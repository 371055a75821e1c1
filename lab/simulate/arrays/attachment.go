package arrays

import (
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// An Attachment is a LUN as a block device of one server.
type Attachment struct {
	Component int // index in the topology
	Name      string
	Priority  int
	LUN       *LUN
	Server    *Server
	device    device
	rng       random
	counters
	beganMs float64 // queueMs at the start of the interval

	// In this interval:
	Gone    bool    // the device is missing
	Unused  bool    // the device is present, and its server does not use it
	Own     Flow    // requests of the server itself
	OwnMs   float64 // time of such a request
	Inner   Flow    // requests of the controller
	InnerMs float64 // time of such a request
	touched bool    // its counters may change in this interval
}

// Mend undoes the effects of events on the attachment.
func (a *Attachment) Mend() {
	a.Gone, a.Unused = false, false
	a.Own, a.OwnMs, a.Inner, a.InnerMs = Flow{}, 0, Flow{}, 0
}

// probe is the work that a server causes when it finds a device and reads its size and labels.
// Without this work, sadc would leave idle devices out.
var probe = work{ios: 64, sectors: 64 * pageSectors, ms: 64 * cachedMs}

// cachedMs is the time of a small request that the controller answers from its cache (L13 §5.3.2:
// below 1 ms).
const cachedMs = 0.5

// past is the average load of a LUN by clients since its server was started.
var past = []Stream{{Flow{PerSecond: 20, KiB: 256}, false}, {Flow{PerSecond: 20, KiB: 512}, true}}

// begin sets the counters to their values after an uptime in seconds.
func (a *Attachment) begin(seconds float64) {
	a.reset()
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

// reset resets the counters, as for a device that the server has just found.
func (a *Attachment) reset() {
	a.counters = counters{}
	a.add(probe)
	a.busyMs = probe.ms
	a.beganMs = a.queueMs()
}

// serve counts requests of clients. If a is nil, the LUN has no attachment left, and its requests
// are lost.
func (a *Attachment) serve(w work) {
	if a != nil {
		a.add(w)
		a.Server.moved(w)
	}
}

// end adds the work that is known only at the end of an interval of dt seconds.
func (a *Attachment) end(dt float64) {
	if a.Gone {
		a.reset()
		return
	}
	a.ask(a.Own, a.OwnMs, dt)
	a.ask(a.Inner, a.InnerMs, dt)
	a.busyMs += busyFor(dt*1000, (a.queueMs()-a.beganMs)/(dt*1000))
	a.beganMs = a.queueMs()
}

// ask counts requests that do not come from clients.
func (a *Attachment) ask(f Flow, ms, dt float64) {
	if f.PerSecond > 0 && !a.Unused {
		a.add(requests(a.rng, Stream{Flow: f}, a.rng.Poisson(f.PerSecond*dt), ms))
	}
}

// disk returns the counters as an activity file has them.
func (a *Attachment) disk() sysstat.Disk {
	return sysstat.Disk{
		Major: a.device.major, Minor: a.device.minor, WWN: a.device.wwn,
		IOs: a.ios, ReadSectors: a.readSectors, WriteSectors: a.writeSectors,
		ReadTicks: ticks(a.readMs), WriteTicks: ticks(a.writeMs),
		BusyTicks: ticks(a.busyMs), QueueTicks: ticks(a.queueMs()),
	}
}

// Read writes the counters to d, for callers that need no activity file.
func (a *Attachment) Read(d *metric.Disk) {
	d.IOs, d.ReadSectors, d.WriteSectors = a.ios, a.readSectors, a.writeSectors
	d.ReadMs, d.WriteMs = ticks(a.readMs), ticks(a.writeMs)
	d.BusyMs, d.QueueMs = ticks(a.busyMs), ticks(a.queueMs())
}
