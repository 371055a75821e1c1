package servicecause

import (
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Cause is the part that makes a service slow.
type Cause string

// The causes.
const (
	Unknown Cause = ""        // the measurements of the host do not show the cause
	Device  Cause = "device"  // the device of the service is slow, or busy
	Network Cause = "network" // the network of the service's server is slow, or busy
	Server  Cause = "server"  // the service's server does no work, or sends no data
	Service Cause = "service" // the service itself: device, network and server are healthy
)

// Explanation describes what the measurements of the host show about a slow service.
type Explanation struct {
	Cause  Cause
	Device string // name of the component that is the device of the service; empty if the device is not known
	// OwnMs is the mean latency of the device while the service was slow. PeersMs is the median of
	// the mean latencies of its peers. Both are 0 if the device had no request, or if fewer than
	// two peers had requests.
	OwnMs, PeersMs float64
	// Incident is the incident that names the cause. It comes from the diagnosis of the hosts. It is
	// nil if no incident names the cause.
	Incident *incident.Incident
	// OtherDevice is the name of another device of the server, if the incident names one. Several
	// services share this device, for example a drive on which several OSDs keep their databases.
	// OtherDevice is empty if the incident names no such device.
	OtherDevice string
}

// The latencies of hosts are kept for a limited number of minutes: for a day in a diagnosis of
// recorded data, and for four hours in a live diagnosis.
const (
	recordedMinutes = 1440
	liveMinutes     = 240
)

// Hosts holds what the hosts show: the latencies of their components, and the incidents that the
// diagnosis of the hosts found. It is safe for concurrent use.
type Hosts struct {
	mu          sync.Mutex
	system      *topology.System
	await, tps  int // indexes of these metrics among the metrics of a row; -1 if the rows do not have the metric
	clearTimes  float64
	keptMinutes int   // largest number of minutes in Hosts.minutes
	firstMinute int64 // Unix time at which the first of these minutes begins, divided by 60
	minutes     []minute
	incidents   []incident.Incident
}

// minute has two values for each component: the number of its requests in one minute, and the sum
// of their latencies in ms.
type minute struct{ requests, ms []float32 }

// requestSum is the number of requests of a device, and the sum of their latencies in ms.
type requestSum struct{ requests, ms float64 }

// New returns an empty record of the hosts of a system. A device counts as slow if its mean latency
// is at least clearTimes times the latency of its peers.
func New(system *topology.System, schema table.Schema, clearTimes float64) *Hosts {
	return &Hosts{
		system: system, await: metric.Index(schema.Metrics, metric.Await.Name), tps: metric.Index(schema.Metrics, metric.TPS.Name), clearTimes: clearTimes,
		keptMinutes: recordedMinutes,
	}
}

// NewLive returns an empty record for a live diagnosis, whose system has both the services and
// their hosts. If the system has no services, the record stays empty.
func NewLive(system *topology.System, schema table.Schema, clearTimes float64) *Hosts {
	h := New(system, schema, clearTimes)
	if h.keptMinutes = liveMinutes; !system.HasServices() {
		h.await = -1
	}
	return h
}

// Enabled reports whether the record keeps latencies.
func (h *Hosts) Enabled() bool { return h.await >= 0 }

// Row adds the latencies of the next row to the record.
func (h *Hosts) Row(row *table.Row) {
	if h.await < 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	number := (row.End - 1) / 60
	if len(h.minutes) == 0 || number >= h.firstMinute+int64(len(h.minutes)+h.keptMinutes) {
		h.minutes, h.firstMinute = nil, number
	}
	for h.firstMinute+int64(len(h.minutes)) <= number {
		h.minutes = append(h.minutes, h.newMinute())
		if len(h.minutes) > h.keptMinutes {
			h.minutes, h.firstMinute = h.minutes[1:], h.firstMinute+1
		}
	}
	now := h.minutes[len(h.minutes)-1]
	for c, ms := range row.Values[h.await] {
		requests := 1.0
		if h.tps >= 0 {
			requests = row.Values[h.tps][c]
		}
		if !table.IsMissing(ms) && !table.IsMissing(requests) {
			now.requests[c] += float32(requests)
			now.ms[c] += float32(requests * ms)
		}
	}
}

func (h *Hosts) newMinute() minute {
	n := len(h.system.Components)
	return minute{make([]float32, n), make([]float32, n)}
}

// Finish takes the incidents of the diagnosis of the hosts. The caller calls it after the last row,
// or whenever the incidents have changed. The caller must not change the slice after the call.
func (h *Hosts) Finish(incidents []incident.Incident) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.incidents = incidents
}

// State writes or reads the latencies. It leaves out the incidents, because the engine saves them.
func (h *Hosts) State(c *state.Codec, axes *blame.Axes) {
	h.mu.Lock()
	defer h.mu.Unlock()
	state.Int(c, &h.firstMinute)
	state.List(c, &h.minutes, func(c *state.Codec, m *minute) {
		if !c.Saving() {
			*m = h.newMinute()
		}
		c.Floats32(axes.Components, m.requests)
		c.Floats32(axes.Components, m.ms)
	})
	if h.await < 0 {
		h.minutes = nil // the system has no services any more
	}
}

// kinds maps the kind of an incident about a host to the cause of a slow service on this host.
var kinds = map[finding.Kind]Cause{
	finding.PacketLoss: Network, finding.NetworkHog: Network,
	finding.DiskHog: Device, finding.DiskBusy: Device, finding.SlowDrive: Device, finding.SlowTail: Device, finding.SharedSlowness: Device,
	finding.SlowerThanBefore: Device, finding.Throttled: Device, finding.Overheated: Device, finding.StalledRequests: Device,
	finding.Pauses: Server, finding.SilentServer: Server,
}

// Explain returns why a service was slow between the Unix times `from` and `to`. It finds the
// device of the service by its volume, or by its server and device name.
func (h *Hosts) Explain(service *topology.Component, from, to int64) Explanation {
	h.mu.Lock()
	defer h.mu.Unlock()
	var e Explanation
	device := h.deviceOf(service)
	server, _ := service.RunsOn()
	if device >= 0 {
		part := &h.system.Components[device]
		server, e.Device = part.Server, part.Name
		e.OwnMs, e.PeersMs = h.latencies(device, from, to)
	}
	for i := range h.incidents {
		in := &h.incidents[i]
		cause, ok := kinds[in.Kind]
		if !ok || in.Harmless() || !overlaps(in, from, to) || !h.concerns(in, device, server) || e.Incident != nil && cause != Device {
			continue
		}
		e.Cause, e.Incident, e.OtherDevice = cause, in, h.otherDrive(in, device)
	}
	switch {
	case e.Cause == Device:
	case e.PeersMs > 0 && e.OwnMs >= h.clearTimes*e.PeersMs: // a slow device is the cause, even if an incident names the network or the server
		e.Cause, e.Incident, e.OtherDevice = Device, nil, ""
	case e.Cause != Unknown || e.PeersMs == 0:
	default:
		e.Cause = Service
	}
	return e
}

// otherDrive returns the name of the first drive among the members of an incident. It returns "" if
// there is no drive, or if the first drive is the device of the service.
func (h *Hosts) otherDrive(in *incident.Incident, device int) string {
	for _, m := range in.Members {
		switch c := &h.system.Components[m.Component]; {
		case m.Component == device:
			return ""
		case c.Kind == topology.Attachment && !c.Service:
			return c.Name
		}
	}
	return ""
}

// deviceOf returns the component that is the device of a service; -1 if there is none.
func (h *Hosts) deviceOf(service *topology.Component) int {
	byVolume := func(c topology.Component) bool {
		return service.Volume != "" && c.Volume == service.Volume && !c.Service
	}
	if i := slices.IndexFunc(h.system.Components, byVolume); i >= 0 {
		return i
	}
	server, device := service.RunsOn()
	return slices.IndexFunc(h.system.Components, func(c topology.Component) bool {
		return device != "" && c.Device == device && c.Server == server && !c.Service
	})
}

// overlaps reports whether an incident was open at any time between the Unix times `from` and `to`.
func overlaps(in *incident.Incident, from, to int64) bool {
	return in.Onset.Early <= to && (in.Cleared == 0 || in.Last >= from)
}

// concerns reports whether an incident can make the service on a device slow. The incident must be
// about the device, about the server, or about a device of the server that several services share,
// such as a drive with their databases.
func (h *Hosts) concerns(in *incident.Incident, device int, server string) bool {
	if in.Place.Tier == blame.Server && in.Place.Name == server && len(in.Members) == 0 {
		return true
	}
	for _, m := range in.Members {
		c := &h.system.Components[m.Component]
		if m.Component == device || c.Server == server && c.Volume == "" {
			return true
		}
	}
	return false
}

// latencies returns the mean latency of a device, and the median of the mean latencies of its
// peers. Both are over the minutes between the Unix times `from` and `to`.
func (h *Hosts) latencies(device int, from, to int64) (own, peers float64) {
	sums := make([]requestSum, len(h.system.Components))
	for i, m := range h.minutes {
		if begin := (h.firstMinute + int64(i)) * 60; begin+60 <= from || begin >= to {
			continue
		}
		for c := range sums {
			sums[c].requests += float64(m.requests[c])
			sums[c].ms += float64(m.ms[c])
		}
	}
	var others []float64
	for c, s := range sums {
		if s.requests > 0 && c != device && h.system.Components[c].Group == h.system.Components[device].Group {
			others = append(others, s.ms/s.requests)
		}
	}
	if sums[device].requests == 0 || len(others) < 2 {
		return 0, 0
	}
	return sums[device].ms / sums[device].requests, quantile.Median(others)
}
