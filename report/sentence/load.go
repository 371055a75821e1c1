package sentence

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
)

// loadHeadline makes the headline of a load incident: the requests of the component compared with
// those of its peers, how long a request takes, and how long the device works on a request.
func (w *Writer) loadHeadline(in *incident.Incident) string {
	text := fmt.Sprintf("%s %s healthy but %s %s the requests of its peers", named(in.Place), be(in, 1), tense(in, "gets", "got"), english.Times(worst(in).Load))
	wait, works := evidenceOf(in, finding.WaitTime), service(in)
	if wait == nil || works == nil {
		return text
	}
	device := tense(in, "works on the request", "worked on the request")
	if works.Metric == finding.BusyTime {
		device = be(in, 1) + " busy with the request"
	}
	return text + fmt.Sprintf(": a request %s %s, including %s of waiting; the device %s for %s (its peers: %s)", tense(in, "takes", "took"), english.Quantity(wait.Own, wait.Unit),
		english.Quantity(max(wait.Own-served(works), 0), wait.Unit), device, english.Quantity(works.Own, works.Unit), english.Quantity(works.Peers, works.Unit))
}

// served estimates how long the device serves a request. If a device serves several requests at
// once, its busy time for each request is shorter than the service time. The peers have fewer
// requests at once, so the longer of both busy times is nearer to the service time.
func served(works *finding.Evidence) float64 {
	if works.Metric == finding.BusyTime {
		return max(works.Own, works.Peers)
	}
	return works.Own
}

// service returns the evidence about the time for which a device works on a request, if it shows
// that the device is healthy; nil: there is none.
func service(in *incident.Incident) *finding.Evidence {
	for _, metric := range []string{finding.DeviceTime, finding.BusyTime} {
		if e := evidenceOf(in, metric); e != nil && e.Decides {
			return e
		}
	}
	return nil
}

// worksLonger reports whether the device is busy with a request for a longer time than its peers.
func worksLonger(in *incident.Incident) bool {
	e := evidenceOf(in, finding.BusyTime)
	return e != nil && e.Decides && e.Own > e.Peers
}

// queued compares the requests of a component with those of its peers, and names the queue
// in which they wait.
func queued(in *incident.Incident) (lines []string) {
	for i := range in.Evidence {
		e := &in.Evidence[i]
		unit := e.Unit
		if e.Metric == finding.AskedFor {
			unit = "a second"
		}
		lines = append(lines, fmt.Sprintf("%s: %s, its peers: %s", e.Metric, english.Quantity(e.Own, unit), english.Quantity(e.Peers, unit)))
	}
	wait, device, works := evidenceOf(in, finding.WaitTime), evidenceOf(in, finding.DeviceTime), service(in)
	if wait == nil || device == nil || works == nil {
		return lines
	}
	kernel, within := max(wait.Own-device.Own, 0), max(device.Own-served(works), 0)
	switch {
	case works.Metric == finding.DeviceTime:
		return append(lines, fmt.Sprintf("requests %s in the kernel's queue", tense(in, "wait", "waited")))
	case kernel < hardlyShare*within:
		return append(lines, fmt.Sprintf("requests %s for each other in the device", tense(in, "wait", "waited")))
	}
	return append(lines, fmt.Sprintf("requests %s %s in the kernel's queue, and %s behind each other in the device", tense(in, "wait", "waited"),
		english.Quantity(kernel, wait.Unit), english.Quantity(within, wait.Unit)))
}

// hardlyShare is the share of the wait in the device below which the wait in the kernel's
// queue is not mentioned.
const hardlyShare = 0.01
