package symptom

import (
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/metric"
)

// Kind is what a component can show.
type Kind uint8

// The kinds of symptom.
const (
	Slow     Kind = iota // requests wait longer than at the peers, and the disk is busier
	Loaded               // the disk does work that the network did not bring
	Receives             // the interface receives what no disk takes
	Sends                // the interface sends what no disk gave
	LosesIn              // what clients send to the server is lost
	LosesOut             // what the server sends to clients is lost
	NumKinds
)

var kindNames = [NumKinds]string{
	"longer waits for their drives", "more work on their drives", "more received traffic", "more sent traffic",
	"losses on the way to them", "losses on the way from them",
}

func (k Kind) String() string { return kindNames[k] }

// faults are what the kinds are symptoms of.
var faults = [NumKinds]finding.Kind{
	Slow: finding.DiskBusy, Loaded: finding.DiskHog, Receives: finding.NetworkHog, Sends: finding.NetworkHog,
	LosesIn: finding.PacketLoss, LosesOut: finding.PacketLoss,
}

// byMetric are the kinds in the order of the metrics that show them.
var byMetric = [NumKinds]Kind{Loaded, Slow, Receives, Sends, LosesOut, LosesIn}

// shownBy are the metrics that show symptoms. The others confirm them or speak
// against them.
var shownBy = []string{
	metric.Await.Name, metric.RdSec.Name, metric.WrSec.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrIn.Name, metric.RetrOut.Name,
}

// sign is one symptom of one component in one window.
type sign struct {
	finding.Evidence
	kind    Kind
	odd     bool   // beyond the threshold, and confirmed by the other metrics
	doubt   string // what the other metrics say against it, where it is beyond the threshold
	suspect bool   // after the k-of-2k−1 filter
}

// column is a metric that windows sum up.
type column uint8

const (
	tps column = iota
	rd
	wr
	wait
	util
	rxByt
	txByt
	rxPck
	txPck
	cwndOut
	cwndIn
	retrOut
	retrIn
	dlvOut
	dlvIn
	numColumns
)

var columns = [numColumns]metric.Metric{
	tps: metric.TPS, rd: metric.RdSec, wr: metric.WrSec, wait: metric.Await, util: metric.Util,
	rxByt: metric.RxByt, txByt: metric.TxByt, rxPck: metric.RxPck, txPck: metric.TxPck,
	cwndOut: metric.CwndOut, cwndIn: metric.CwndIn,
	retrOut: metric.RetrOut, retrIn: metric.RetrIn, dlvOut: metric.DlvOut, dlvIn: metric.DlvIn,
}

// Metrics lists what symptoms are made of. Those that the data do not have leave
// out the symptoms that need them.
func Metrics() []string {
	var names []string
	for _, m := range columns {
		names = append(names, m.Name)
	}
	return names
}
