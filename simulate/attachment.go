package simulate

import (
	"math/rand/v2"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/sysstat"
)

// An attachment is a LUN as a block device of one server.
type attachment struct {
	component int // of the topology
	lun       *lun
	server    *server
	device    device
	rng       *rand.Rand
	counters
	beganMs float64 // of queueMs when the interval began

	gone bool // in this interval
	own  Flow // what the server itself asks of it in this interval
}

// probe is what a server reads of a device that it finds: its size, its
// labels. Without it, sadc would leave the idle ones out.
var probe = work{ios: 64, sectors: 64 * pageSectors, ms: 64 * cachedMs}

// cachedMs is what a small request takes that the controller has the answer
// of (L13 §5.3.2: below 1 ms).
const cachedMs = 0.5

// past is what clients asked of a LUN, on average, since its server was
// started.
var past = []flow{{Flow{PerSecond: 20, KiB: 256}, false}, {Flow{PerSecond: 20, KiB: 512}, true}}

// begin sets the counters to what they have come to in seconds of uptime.
func (a *attachment) begin(seconds float64) {
	a.find()
	if a != a.lun.serving() {
		return
	}
	for _, f := range past {
		f = f.of(a.lun.share)
		a.add(requests(a.rng, f, int(f.PerSecond*seconds), a.lun.service.ms(f)))
	}
	a.busyMs += busyFor(seconds*1000, a.queueMs()/(seconds*1000))
	a.beganMs = a.queueMs()
}

// find begins the counters anew, as for a device that comes up.
func (a *attachment) find() {
	a.counters = counters{}
	a.add(probe)
	a.busyMs = probe.ms
	a.beganMs = a.queueMs()
}

// serve counts requests of clients.
func (a *attachment) serve(w work) {
	a.add(w)
	a.server.moved(w)
}

// end accounts for what cannot be told before all of an interval is.
func (a *attachment) end(dt float64) {
	if a.gone {
		a.find()
		return
	}
	if a.own.PerSecond > 0 {
		n := poisson(a.rng, a.own.PerSecond*dt)
		a.add(requests(a.rng, flow{Flow: a.own}, n, cachedMs))
	}
	a.busyMs += busyFor(dt*1000, (a.queueMs()-a.beganMs)/(dt*1000))
	a.beganMs = a.queueMs()
}

// disk is the device as an activity file has it.
func (a *attachment) disk() sysstat.Disk {
	return sysstat.Disk{
		Major: a.device.major, Minor: a.device.minor, WWN: a.device.wwn,
		IOs: a.ios, ReadSectors: a.readSectors, WriteSectors: a.writeSectors,
		ReadTicks: ticks(a.readMs), WriteTicks: ticks(a.writeMs),
		BusyTicks: ticks(a.busyMs), QueueTicks: ticks(a.queueMs()),
	}
}

// reading is the same for those who need no file.
func (a *attachment) reading() metric.Disk {
	return metric.Disk{
		IOs: a.ios, ReadSectors: a.readSectors, WriteSectors: a.writeSectors,
		ReadMs: ticks(a.readMs), WriteMs: ticks(a.writeMs),
		BusyMs: ticks(a.busyMs), QueueMs: ticks(a.queueMs()),
	}
}
