package sentence

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// service returns the worst member of an incident if it is a service of Ceph that reports about itself;
// nil if it is a device, or if the incident is not about slowness.
func (w *Writer) service(in *incident.Incident) *topology.Component {
	slow := in.Class == finding.Slow || in.Class == finding.Past || in.Class == finding.Tail
	if !slow || len(in.Members) == 0 {
		return nil
	}
	if c := w.of(in.Members[0].Component); w.isService(c) {
		return c
	}
	return nil
}

// isService reports whether a component is a service of Ceph that reports about itself, live or in a table.
func (w *Writer) isService(c *topology.Component) bool {
	return c.Service || w.Lead.Name != metric.Await.Name && c.Storage == "ceph" && c.Volume != ""
}

// isCluster reports whether the place of an incident is a cluster of services.
func (w *Writer) isCluster(in *incident.Incident) bool {
	return w.System != nil && in.Place.Tier == blame.Server && w.System.IsCluster(in.Place.Name)
}

// explain returns the cause of a slow service that the data of the hosts show. ok is false if the
// incident is not about a service, or if the data of hosts were not given.
func (w *Writer) explain(in *incident.Incident) (e servicecause.Explanation, ok bool) {
	c := w.service(in)
	if c == nil || w.Hosts == nil {
		return e, false
	}
	return w.Hosts.Explain(c, in.Onset.At, in.Last), true
}

// Beneath returns the sentence about the cause of a slow service that the hosts show: its device,
// its network, its server, or none of these.
func (w *Writer) Beneath(in *incident.Incident) []string {
	e, ok := w.explain(in)
	if !ok {
		return nil
	}
	server, _ := w.service(in).RunsOn()
	switch e.Cause {
	case servicecause.Device:
		if e.OtherDevice != "" {
			return []string{fmt.Sprintf("at the same time, the host also reports a problem with device %s (%s). Several services of %s may share this device", e.OtherDevice, KindName(e.Incident.Kind), server)}
		}
		if e.PeersMs == 0 {
			return []string{fmt.Sprintf("at the same time, the host reports a problem with the device (%s): a sign that the device is slow, not the daemon", KindName(e.Incident.Kind))}
		}
		return []string{fmt.Sprintf("device %s of the daemon took %s for a request, and the peers of the device took %s: a sign that the device is slow, not the daemon", e.Device, milliseconds(e.OwnMs), milliseconds(e.PeersMs))}
	case servicecause.Network:
		return []string{fmt.Sprintf("at the same time, the host reports a problem (%s): a sign that the network of %s is the cause", KindName(e.Incident.Kind), server)}
	case servicecause.Server:
		return []string{fmt.Sprintf("at the same time, the host reports a problem (%s): a sign that server %s is the cause, not the device", KindName(e.Incident.Kind), server)}
	case servicecause.Service:
		return []string{fmt.Sprintf("device %s of the daemon took %s for a request, and the peers of the device took %s: a sign that the daemon is slow, not the device", e.Device, milliseconds(e.OwnMs), milliseconds(e.PeersMs))}
	}
	return nil
}

func milliseconds(ms float64) string { return english.Quantity(ms, metric.Await.Unit) }

// notBeneath states that the device of a slow service was not checked.
func (w *Writer) notBeneath(in *incident.Incident) []Excluded {
	if w.service(in) == nil {
		return nil
	}
	why := "the data come from the daemon, not from its host: also give the activity files of the hosts (--hosts)"
	if e, ok := w.explain(in); ok {
		if e.Cause != servicecause.Unknown {
			return nil
		}
		why = "limpet has no data about the device from its host at this time: record on the host too"
	}
	return []Excluded{{What: "device, network and daemon", Why: why, NotChecked: true}}
}

// beneathStep returns the first step for a service whose own device is not the cause. ok is false
// if the device is, or may be, the cause.
func (w *Writer) beneathStep(in *incident.Incident) (s Step, ok bool) {
	e, ok := w.explain(in)
	if !ok {
		return s, false
	}
	c := w.service(in)
	server, _ := c.RunsOn()
	if e.OtherDevice != "" && e.Cause == servicecause.Device {
		return Step{Text: fmt.Sprintf("Check device %s first: the databases of several services may be on this device. Do not replace the drive of %s.", e.OtherDevice, c.Volume)}, true
	}
	switch e.Cause {
	case servicecause.Network:
		return Step{Text: fmt.Sprintf("Check the network of %s: cables, errors of its interfaces and of the switch, and other traffic. Do not replace the drive.", server)}, true
	case servicecause.Server:
		return Step{Text: fmt.Sprintf("Find out what stops %s: check its kernel log, memory and processors. Do not replace the drive.", server)}, true
	case servicecause.Service:
		return Step{Text: fmt.Sprintf("Check the slowest operations and the log of daemon %s, and the processors and the memory of %s. Do not replace the drive.", c.Volume, server), Command: "ceph tell " + c.Volume + " dump_historic_ops"}, true
	}
	return s, false
}
