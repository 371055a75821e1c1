package sentence

import (
	"cmp"
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/advice"
)

// Number states the size of an incident, its peers and its begin: "3.1 times slower than 11
// peers, since 2011-03-13 02:14Z". An operator decides by it how urgent an alert is.
func (w *Writer) Number(in *incident.Incident) string {
	return w.amount(in) + ", " + w.When(in)
}

// amount states the size of an incident.
func (w *Writer) amount(in *incident.Incident) string {
	switch {
	case in.Class.OfServer():
		return w.against(in)
	case len(in.Members) == 0:
		return string(in.Kind)
	}
	m, slow := worst(in), len(playing(in, finding.IsSlow))
	if in.Class == finding.Load {
		return fmt.Sprintf("%s as many requests as %s", english.Times(m.Load), w.peers(m.Component))
	}
	switch in.Kind {
	case finding.SilentServer:
		return "no data"
	case finding.LostAttachment:
		return english.Count(len(playing(in, finding.Gone))+len(playing(in, finding.Unused)), w.unit(in)) + " lost"
	case finding.StalledRequests:
		return fmt.Sprintf("up to %s without an answer on %s", w.measure(m.Own), english.Count(len(in.Members), w.unit(in)))
	case finding.SlowTail:
		return fmt.Sprintf("%s as many slow requests as %s", english.Times(m.Effect.Times), w.peers(m.Component))
	case finding.ServerIssued:
		return english.Count(len(in.Members), "standby path") + " with light work"
	case finding.DrawerError, finding.SharedSlowness:
		return fmt.Sprintf("%d of %s about %s slower than their peers", slow, english.Count(max(in.Judged, slow), w.unit(in)), english.Times(in.Effect().Times))
	}
	if in.Place.Tier == blame.Attachment {
		return w.measure(m.Own) + " for each request"
	}
	return fmt.Sprintf("%s slower than %s", slower(in), w.peers(m.Component))
}

// against compares a resource of a server with its peers', by the metric that
// decides.
func (w *Writer) against(in *incident.Incident) string {
	e := deciding(in)
	if e == nil {
		return string(in.Kind)
	}
	noun, own, peers := compared(e)
	return fmt.Sprintf("%s %s against %s of %s", noun, own, peers, w.peers(e.Component))
}

// peers prints the number of peers of a component.
func (w *Writer) peers(component int) string {
	if g := w.of(component).Group; g >= 1 && g <= len(w.System.Groups) { // they are numbered from 1
		return english.Count(len(w.System.Groups[g-1].Members)-1, "peer")
	}
	return "its peers"
}

// Action states the first thing to do about an incident.
func (w *Writer) Action(in *incident.Incident) string {
	if in.Kind == finding.SharedSlowness {
		return fmt.Sprintf("Look at what its parts share: %s.", w.sharedBy(in))
	}
	if text, ok := below[in.Kind]; ok && len(in.Members) > 0 && advice.MadeOfOthers(w.of(in.Members[0].Component)) {
		return text
	}
	return actions[in.Kind]
}

// below are the first things to do about a device that is made of others.
var below = map[finding.Kind]string{
	finding.SlowDrive: "Look at what the device is made of, a file, a network or other drives: it has no SMART values of its own.",
	finding.SlowTail:  "Look at what the device is made of, a file, a network or other drives: it has no SMART values of its own.",
	finding.DiskBusy:  "Look at what the device is made of, a file, a network or other drives, and what else uses that.",
}

// actions are the first things to do about each kind.
var actions = map[finding.Kind]string{
	finding.LostAttachment:    "Look at the path: cable, port, zoning, and what the server's multipath says of it.",
	finding.SilentServer:      "See whether the server answers, and whether its recorder runs.",
	finding.DrawerError:       "See what the controllers say of the drawers: power, links, and drives that they have marked.",
	finding.SingleLUN:         "See what the controller says of the LUN's drives: media errors, a rebuild, a drive to replace.",
	finding.SlowDrive:         "Read the drive's SMART values and error log; if it goes on, take it out and replace it.",
	finding.WorkloadImbalance: "Nothing has to be repaired. Spread the load if it is to be faster.",
	finding.SlowTail:          "Read the drive's SMART values and error log: reallocated and pending sectors, retries, commands that timed out.",
	finding.StalledRequests:   "Look at the log of controller and server at that time: resets, retries, a failover.",
	finding.ServerIssued:      "Nothing has to be done.",
	finding.ArrayUpkeep:       "Wait until the array has finished: cat /proc/mdstat, or zpool status, says how far it is.",
	finding.DiskHog:           "Find what uses the drive besides clients: a backup, a check, a copy.",
	finding.DiskBusy:          "Read the drive's SMART values and error log, and see what else uses the same hardware.",
	finding.NetworkHog:        "Find what uses the interface besides clients: a backup, a copy, another service.",
	finding.PacketLoss:        "Look at the errors and drops of the interface, its cable, and the port of the switch.",
}

// Ended is the headline of an alert that is over, and why.
func Ended(reason, headline string) string {
	return cmp.Or(endings[reason], "Over") + ": " + headline
}

// endings are the reasons that an alert is over, where the incident did not end by itself.
var endings = map[string]string{
	"resolved": "Resolved by an operator", "removed": "No longer in the topology", "merged": "A part of another incident",
	"muted": "Muted by an operator", "became an incident": "Now an incident", "lost sight of": "No longer known, since the diagnosis began anew",
}

// AndMore is the text of an alert that stands for more alerts than are sent one by one, and
// states how many of these are over already.
func AndMore(more, over, most int, seconds int64) (headline, number, action string) {
	headline = "and " + english.Count(more, "more alert")
	if over > 0 {
		headline += fmt.Sprintf(", %d of them over already", over)
	}
	return headline, fmt.Sprintf("%d beyond the %d that are told one by one in %s", more, most, english.Seconds(seconds)),
		"Open the list of incidents: one cause may explain them all."
}
