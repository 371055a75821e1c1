package sentence

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// Reason returns the words for the reason of a component's judgement in a window.
func Reason(r persistence.Reason) string { return reasons[r] }

var reasons = map[persistence.Reason]string{
	persistence.Differs:      "differs from its peers",
	persistence.Gone:         "no data, while its server and its peers have data",
	persistence.Idle:         "idle while most peers are busy",
	persistence.TooFewIOs:    "too few requests to judge",
	persistence.TooFewBusy:   "fewer than 3 busy peers to compare",
	persistence.TooFewData:   "too few samples to judge",
	persistence.ServerSilent: "its server sent no data",
	persistence.GroupIdle:    "the whole group is idle",
	persistence.Untrained:    "the model has no thresholds for the group of this component",
}

// doubts has the words for the reasons against a piece of evidence.
var doubts = map[finding.Doubt]string{
	finding.Widespread:  "half of the servers show the same difference",
	finding.NoBusier:    "its peers would be equally busy with the same work",
	finding.BusyAsPeer:  "a peer was equally busy without more work",
	finding.MoreThanAny: "the drive does more work than any peer ever did, and clients requested this work",
	finding.NoLonger:    "its requests wait no longer than its peers' requests",
	finding.TooCostly:   "its peers would need less time for the same work",
	finding.NotAsked:    "clients did not request the work",
	finding.InBursts:    "segments are lost in bursts, as when a switch overflows",
	finding.FewLost:     "the number of lost segments is so small that the loss may be chance",
	finding.FewSent:     "the number of sent segments is so small that the loss may be chance",
	finding.LittleMore:  "the server does only a little more disk work than its peers",
	finding.NotMoved:    "its drives did not read or write these data",
	finding.Queues:      "the load of the drive explains the wait",
	finding.WideWindows: "few segments are lost, and the congestion windows did not shrink",
}

// Measure returns the unit of a score. It is empty for a distance.
func Measure(s finding.Scale) string { return scales[s] }

var scales = map[finding.Scale]string{
	finding.TimesPeers:       "times its peers' value",
	finding.TimesPeersWork:   "times its peers' work",
	finding.PercentOfDrive:   "% of a drive's time",
	finding.MegabytesBeyond:  "MB/s more than its peers",
	finding.TimesPeersLosses: "times its peers' losses",
	finding.OutageSteps:      "time steps without an arriving segment in a window",
	finding.TimesApart:       "times its peers' value",
	finding.PointsApart:      "percentage points from its peers",
	finding.EvidenceUnits:    "points of evidence",
	finding.ShareUsed:        "of the space is used",
	finding.ShareOfRise:      "of the additional requests",
	finding.ShareOfTraffic:   "of the additional traffic of clients",
}

// Symptom returns the words for a symptom of servers: "more received traffic".
func Symptom(s finding.Symptom) string { return symptoms[s] }

var symptoms = map[finding.Symptom]string{
	finding.Waits:     "longer waits for their drives",
	finding.Loaded:    "more work on their drives",
	finding.Asked:     "more requests for their drives",
	finding.Receives:  "more received traffic",
	finding.Sends:     "more sent traffic",
	finding.LosesIn:   "lost segments from clients",
	finding.LosesOut:  "lost segments to clients",
	finding.Serves:    "more data to serve",
	finding.Exchanges: "more data to exchange with each other",
}
