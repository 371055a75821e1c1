// Package explain says why a component limps: which resource of which server
// is at fault.
//
// A cause is a conclusion from what was measured and nothing else. There are
// two ways to it. [Checklist] is F10 §10.2's: the metrics that a server differs
// from its peers in, asked for in a fixed order. [Ranking] weighs symptoms,
// which have answered to each other already, by their strength. Both say when
// it began, and what speaks against the next best explanation.
//
// In the stream the package stands behind detect and symptom, whose windows it
// hears, and is as pure.
package explain

import (
	"slices"

	"github.com/limpet-storage/limpet/metric"
)

// Cause is the resource at fault.
type Cause string

// The causes of F10 §10.2.
const (
	DiskHog    Cause = "disk-hog"    // more load on the drive than the peers' have
	DiskBusy   Cause = "disk-busy"   // a slow drive, or load on it that the server does not see
	NetworkHog Cause = "network-hog" // more traffic than the peers have
	PacketLoss Cause = "packet loss" // segments do not arrive
)

// Causes lists the causes in the order of the checklist.
func Causes() []Cause { return []Cause{DiskHog, DiskBusy, NetworkHog, PacketLoss} }

// Metrics lists the metrics that the checklist asks for, in its order. F10 §7
// found the others unreliable: they are recorded and indict nobody.
func Metrics() []string {
	var names []string
	for _, c := range Causes() {
		names = append(names, c.metrics()...)
	}
	return names
}

// metrics are those that speak for a cause on the checklist.
func (c Cause) metrics() []string {
	switch c {
	case DiskHog:
		return []string{metric.RdSec.Name, metric.WrSec.Name}
	case DiskBusy:
		return []string{metric.Await.Name}
	case NetworkHog:
		return []string{metric.RxByt.Name, metric.TxByt.Name}
	case PacketLoss:
		return []string{metric.CwndOut.Name, metric.CwndIn.Name}
	}
	return nil
}

// Decides says whether a metric speaks for the cause. What else a server
// differs in are secondary manifestations.
func (c Cause) Decides(name string) bool {
	return slices.Contains(c.metrics(), name) ||
		c == PacketLoss && (name == metric.RetrOut.Name || name == metric.RetrIn.Name)
}

// causeOf is the cause that a metric speaks for.
func causeOf(name string) Cause {
	for _, c := range Causes() {
		if c.Decides(name) {
			return c
		}
	}
	return ""
}

// check walks down F10's list (§10.2, §12) and takes the first cause that fits
// the metrics in which a server is suspect. It reports false where none of them
// decides.
//
// Storage outweighs the network: a server with a busy disk sends when nobody
// else does, and has an odd cwnd. Throughput that differs both ways is a hog
// whatever cwnd does, because a hog congests; one way only it may be the
// acknowledgements that loss doubles, and then cwnd decides.
func check(suspect func(metric string) bool) (Cause, bool) {
	some := func(c Cause) bool { return slices.ContainsFunc(c.metrics(), suspect) }
	both := suspect(metric.RxByt.Name) && suspect(metric.TxByt.Name)
	switch {
	case some(DiskHog):
		return DiskHog, true
	case some(DiskBusy):
		return DiskBusy, true
	case both, some(NetworkHog) && !some(PacketLoss):
		return NetworkHog, true
	case some(PacketLoss):
		return PacketLoss, true
	}
	return "", false
}
