package words

import (
	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Reason says why a component was judged as it was in a window.
func Reason(r detect.Reason) string { return reasons[r] }

var reasons = map[detect.Reason]string{
	detect.Differs:      "differs from its peers",
	detect.Gone:         "no data while its server and peers have some",
	detect.Idle:         "idle while most peers are busy",
	detect.TooFewIOs:    "too few requests to judge",
	detect.TooFewBusy:   "fewer than 3 busy peers to compare",
	detect.TooFewData:   "too few samples to judge",
	detect.ServerSilent: "its server sent no data",
	detect.GroupIdle:    "the whole group is idle",
	detect.Untrained:    "the model has no thresholds for its group",
}

// doubts say what speaks against evidence.
var doubts = map[finding.Doubt]string{
	finding.Widespread:  "half of the servers show it",
	finding.NoBusier:    "the drive is no busier than its work would make its peers",
	finding.BusyAsPeer:  "a peer was as busy for no more work",
	finding.MoreThanAny: "the drive serves more than any peer ever did, and was asked to",
	finding.NoLonger:    "requests wait no longer than at its peers",
	finding.TooDear:     "its work would cost its peers less",
	finding.NotAsked:    "clients did not ask for it",
	finding.InBursts:    "segments are lost in bursts, as where a switch overflows",
	finding.FewLost:     "too few segments were lost to tell that from chance",
	finding.FewSent:     "too few segments were sent to tell that from chance",
	finding.LittleMore:  "it is little beside the work of the peers",
	finding.WideWindows: "so few are lost that congestion windows would have to shrink, too",
}

// Measure says what the score of evidence is measured in. It is empty for a
// distance.
func Measure(s finding.Scale) string { return scales[s] }

var scales = map[finding.Scale]string{
	finding.TimesPeers:       "times its peers'",
	finding.TimesPeersWork:   "times its peers' work",
	finding.PercentOfDrive:   "% of a drive's time",
	finding.MegabytesBeyond:  "MB/s beyond its peers'",
	finding.TimesPeersLosses: "times its peers' losses",
	finding.OutageSteps:      "times in a window that nothing came through",
	finding.Nats:             "nats of evidence",
}

// Symptom says what servers have that show a symptom.
func Symptom(s finding.Symptom) string { return symptoms[s] }

var symptoms = map[finding.Symptom]string{
	finding.Waits:    "longer waits for their drives",
	finding.Loaded:   "more work on their drives",
	finding.Asked:    "more requests for their drives",
	finding.Receives: "more received traffic",
	finding.Sends:    "more sent traffic",
	finding.LosesIn:  "losses on the way to them",
	finding.LosesOut: "losses on the way from them",
}
