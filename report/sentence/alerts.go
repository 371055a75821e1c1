package sentence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// Number states the size of an incident, its peers and its begin: "3.1 times slower than 11 peers,
// since 2011-03-13 02:14Z". It helps an operator to decide how urgent an alert is.
func (w *Writer) Number(in *incident.Incident) string {
	return w.amount(in) + ", " + w.When(in)
}

// amount states the size of an incident.
func (w *Writer) amount(in *incident.Incident) string {
	switch {
	case in.Class == finding.Pause:
		return w.pauseAmount(in)
	case in.Class == finding.Capacity:
		return w.limitAmount(in)
	case in.Class.IsAboutServer():
		return w.against(in)
	case len(in.Members) == 0:
		return KindName(in.Kind)
	}
	m, slow := worst(in), len(playing(in, finding.IsSlow))
	if in.Class == finding.Load {
		return fmt.Sprintf("%s as many requests as %s", english.Times(m.Load), w.peers(m.Component))
	}
	if in.Class == finding.Past {
		return fmt.Sprintf("%s slower than before", english.Times(in.Effect().Times))
	}
	switch in.Kind {
	case finding.SilentServer:
		return "no data"
	case finding.LostAttachment:
		return english.Count(len(playing(in, finding.Gone))+len(playing(in, finding.Unused)), w.unit(in)) + " lost"
	case finding.StalledRequests:
		return fmt.Sprintf("no answer for up to %s on %s", w.measure(m.Own), english.Count(len(in.Members), w.unit(in)))
	case finding.SlowTail:
		return fmt.Sprintf("%s as many slow requests as %s", english.Times(m.Effect.Times), w.peers(m.Component))
	case finding.ServerIssued:
		return english.Count(len(in.Members), "standby path") + " with light traffic"
	case finding.DrawerError, finding.SharedSlowness:
		return fmt.Sprintf("%d of %s about %s slower than their peers", slow, w.among(in, slow), english.Times(in.Effect().Times))
	}
	if in.Place.Tier == blame.Attachment {
		return w.measure(m.Own) + " for each request"
	}
	return fmt.Sprintf("%s slower than %s", slower(in), w.peers(m.Component))
}

// against compares a disk or network of a server with that of its peers, in the metric that
// decided.
func (w *Writer) against(in *incident.Incident) string {
	e := deciding(in)
	if e == nil {
		return KindName(in.Kind)
	}
	noun, own, peers := compared(e)
	of := "its peers"
	if n := w.System.PeersOnServers(e.Component); n > 0 {
		of = english.Count(n, "peer")
	}
	return fmt.Sprintf("%s %s, compared with %s of %s", noun, own, peers, of)
}

// peers prints the number of peers of a component.
func (w *Writer) peers(component int) string {
	if g := w.of(component).Group; g >= 1 && g <= len(w.System.Groups) { // groups are numbered from 1
		return english.Count(len(w.System.Groups[g-1].Members)-1, "peer")
	}
	return "its peers"
}

// Action states the first step for an incident: what to check at the incident's place.
func (w *Writer) Action(in *incident.Incident) string {
	if in.Kind == finding.SharedSlowness {
		return fmt.Sprintf("Check what these parts have in common: %s.", w.sharedBy(in))
	}
	if in.Kind == finding.SilentServer && w.isCluster(in) {
		return "Check whether a Ceph manager is active (ceph -s), whether its prometheus module is enabled (ceph mgr module ls), and whether limpet or Prometheus can reach this module."
	}
	if text, ok := below[in.Kind]; ok && len(in.Members) > 0 && advice.MadeOfOthers(w.of(in.Members[0].Component)) {
		return text
	}
	if others := w.stillServed(in); others != nil {
		return fmt.Sprintf("Do %s still use %s? If the answer is yes, the array is up: check what %s share on the way to it, such as a controller, a switch or a cable.",
			fold(others), Placed(in), fold(w.serversOf(lostPaths(in))))
	}
	if c := w.service(in); c != nil && in.Kind == finding.SlowDrive {
		return fmt.Sprintf("Read the SMART values and the error log of the drive that holds the data of %s. If the drive stays slow, and its data have another copy, replace the drive.", c.Volume)
	}
	if in.Kind == finding.WorkloadImbalance && !in.Harmless() {
		return fmt.Sprintf("Move some of the load of %s to its peers. If its requests still take longer when it has the load of its peers, its hardware is slow.", Placed(in))
	}
	text := actions[in.Kind]
	if at, ok := atPlace[in.Kind][in.Place.Tier]; ok {
		text = at
	}
	if cause, _ := finding.LongestPause(in.Evidence); in.Kind == finding.Pauses && cause < table.NumCauses {
		text = pauseActions[cause]
	}
	if strings.Contains(text, "%s") {
		return fmt.Sprintf(text, Placed(in))
	}
	return text
}

// stillServed returns the servers that have lost no path to an array, if at least two other servers
// have lost paths to it. If these servers use the array, it has power. It returns nil for every
// other incident.
func (w *Writer) stillServed(in *incident.Incident) []string {
	if in.Kind != finding.LostAttachment || in.Place.Tier != blame.Array {
		return nil
	}
	lost, others := w.serversOf(lostPaths(in)), []string(nil)
	if len(lost) < 2 { // the step for a single server is to check its own paths
		return nil
	}
	for i := range w.System.Components {
		if c := &w.System.Components[i]; c.Array == in.Place.Name && !slices.Contains(lost, c.Server) {
			others = append(others, c.Server)
		}
	}
	slices.SortFunc(others, topology.Compare)
	return slices.Compact(others)
}

// lostPaths returns the lost paths of an incident.
func lostPaths(in *incident.Incident) []int {
	return slices.Concat(playing(in, finding.Gone), playing(in, finding.Unused))
}

// madeUp states that limpet made the name of an array. It is empty if the name is from a topology
// file.
func (w *Writer) madeUp(in *incident.Incident) []string {
	if in.Place.Tier != blame.Array || !w.System.IsMadeUp(in.Place.Name) {
		return nil
	}
	return []string{fmt.Sprintf("limpet made the name %s from the servers that share these LUNs, because there is no topology file: the LUNs may belong to several arrays", in.Place.Name)}
}

// atPlace has the first step for a kind at a place of some tier. It replaces the step in the map
// actions.
var atPlace = map[finding.Kind]map[blame.Tier]string{
	finding.LostAttachment: {
		blame.Controller: "Is %s up? Check the status and the log of the controller.",
		blame.Array:      "Is %s up? Check its power, its controllers, and the logs of the controllers.",
		blame.LUN:        "Is %s online? Check its status on its controllers.",
		blame.Server:     "Check the adapters of %s: link, cable, port, zoning and multipath.",
	},
	finding.DrawerError: {
		blame.Array: "Check the drawers of %s on its controllers: power, links, and drives that are marked as bad.",
	},
	finding.SingleLUN: {
		blame.Attachment: "Check the LUN of %s on its controller for media errors of its drives, a running rebuild, or a drive that must be replaced.",
	},
	finding.DiskHog:  {blame.Server: "Find out which programs other than clients use the drives of %s (a backup, a check, a copy)."},
	finding.DiskBusy: {blame.Server: "Read the SMART values and the error logs of the drives of %s, and find out which other programs or machines use the same hardware."},
}

// checkPaths is the second step if paths to a controller, an array or a LUN are lost.
const checkPaths = "If the answer is yes, check the paths: cables, ports, zoning, and multipath on the servers."

// checkOwnPaths is the second step if some servers have lost their paths to an array, and others
// have not.
const checkOwnPaths = "Then check the paths of these servers: ports, zoning and multipath."

// below has the first step for a device that is made of other devices, by kind.
var below = map[finding.Kind]string{
	finding.SlowDrive: "Check the parts that the device consists of (a file, a network or other drives): the device itself has no SMART values.",
	finding.SlowTail:  "Check the parts that the device consists of (a file, a network or other drives): the device itself has no SMART values.",
	finding.DiskBusy:  "Check the parts that the device consists of (a file, a network or other drives), and find out which other programs use the device.",
}

// actions has the first step for each kind; %s is the place of the incident.
var actions = map[finding.Kind]string{
	finding.LostAttachment:    "Check %s: cable, port, zoning, and multipath on the server.",
	finding.SilentServer:      "Does %s answer? If the server answers, check whether its recorder runs.",
	finding.DrawerError:       "Check %s on its controllers: power, links, and drives that are marked as bad.",
	finding.SingleLUN:         "Check the drives of %s on its controller for media errors, a running rebuild, or a drive that must be replaced.",
	finding.SlowDrive:         "Read the SMART values and the error log of %s. If the drive stays slow, and its data have another copy, replace the drive.",
	finding.WorkloadImbalance: "There is nothing to repair. If the component must be faster, move some of its load to its peers.",
	finding.SlowTail:          "Read the SMART values and the error log of %s: reallocated and pending sectors, retries, commands that timed out.",
	finding.StalledRequests:   "Check the logs of %s, of its controllers and of its servers at the time of the problem: resets, retries, a failover.",
	finding.SlowerThanBefore:  "Find out what changed at %s when the slowness began: an update, a new setting, a neighbour that uses the same hardware, or an error in its log.",
	finding.ChangedWorkload:   "Find out which program changed its requests to %s. If the new speed is normal, accept the incident (limpet incidents accept).",
	finding.NoisyNeighbour:    "Find out which program sends the additional requests that make %s slow, and move the program or limit its rate.",
	finding.ServerIssued:      "Nothing has to be done.",
	finding.ArrayUpkeep:       "Wait until the rebuild or check of the array has finished. To see the progress, run cat /proc/mdstat or zpool status.",
	finding.SystemUpkeep:      "Wait until the storage system has finished: its own tools show the progress of a self-heal or a rebalance. If the exchange of data between the servers does not end, look for the reason in the log of %s.",
	finding.DiskHog:           "Find out which programs other than clients use %s (a backup, a check, a copy).",
	finding.DiskBusy:          "Read the SMART values and the error log of %s, and find out which other programs or machines use the same hardware.",
	finding.NetworkHog:        "Find out which programs other than clients use the network of %s (a backup, a copy, another service).",
	finding.Pauses:            "Find out what stops the file server on %s: its log at the time of a pause, the kernel log, paging, and a hypervisor that takes the processors away.",
	finding.FullFileSystem:    "Free some space in the file system on %s, or enlarge the file system. Do not move data to this file system.",
	finding.Throttled:         "Find out what limits %s: the size of the volume or instance, its credits, or a control group. Raise the limit, or move load to other components.",
	finding.Overheated:        "Check the fans and the air flow at %s, and its load.",
	finding.PacketLoss:        "Check the network interface of %s: errors and drops, its cable, and the port of the switch.",
}

// Ended returns the headline of an alert that is over, with the reason why it is over.
func Ended(reason, headline string) string {
	return cmp.Or(endings[reason], "Over") + ": " + headline
}

// endings has the words for the reason why an alert is over, if the problem did not end by itself.
var endings = map[string]string{
	"resolved": "Resolved by an operator", "removed": "No longer in the topology", "merged": "Now part of another incident",
	"muted": "Muted by an operator", "became an incident": "Now an incident", "lost sight of": "Unknown, because the diagnosis was started again",
}

// AndMore returns the text of an alert that replaces further alerts, because limpet sends only a
// limited number of single alerts. The text has the number of replaced alerts, and how many of them
// are already over.
func AndMore(more, over, most int, seconds int64) (headline, number, action string) {
	headline = "and " + english.Count(more, "more alert")
	if over > 0 {
		headline += fmt.Sprintf("; %d of these alerts are already over", over)
	}
	return headline, fmt.Sprintf("limpet sends at most %d separate alerts in %s; this alert replaces %d more alerts", most, english.Seconds(seconds), more),
		"Open the list of incidents. One cause may explain all incidents."
}
