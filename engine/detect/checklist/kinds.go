package checklist

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
)

// item is a metric of the checklist, and the kind of fault that it shows.
type item struct {
	metric string
	kind   finding.Kind
}

// items are the metrics of the checklist, in the order in which they are checked. Other metrics are
// unreliable (F10 §7).
var items = [...]item{
	{metric.RdSec.Name, finding.DiskHog},
	{metric.WrSec.Name, finding.DiskHog},
	{metric.Await.Name, finding.DiskBusy},
	{metric.RxByt.Name, finding.NetworkHog},
	{metric.TxByt.Name, finding.NetworkHog},
	{metric.CwndOut.Name, finding.PacketLoss},
	{metric.CwndIn.Name, finding.PacketLoss},
}

// Metrics returns the names of the metrics of the checklist, in the order in which they are
// checked.
func Metrics() []string {
	var names []string
	for _, i := range items {
		names = append(names, i.metric)
	}
	return names
}

// firstKind returns the first kind of fault on the checklist that fits the metrics in which a
// server is suspect (F10 §10.2, §12). It returns false if no kind fits.
//
// Storage is checked before the network, because a busy disk also changes cwnd, the congestion
// window: the server sends at times when no other server sends. For the network, there are two
// cases:
//
//   - The throughput in both directions differs from the peers. The fault is a network hog: a
//     program other than a client uses the network. The value of cwnd does not matter, because a hog
//     causes congestion.
//   - The throughput in one direction differs. The fault may be a hog, or packet loss, which
//     doubles the number of acknowledgements. The value of cwnd decides.
func firstKind(suspect func(metric string) bool) (finding.Kind, bool) {
	some := func(kind finding.Kind) bool {
		return slices.ContainsFunc(items[:], func(i item) bool { return i.kind == kind && suspect(i.metric) })
	}
	both := suspect(metric.RxByt.Name) && suspect(metric.TxByt.Name)
	switch {
	case some(finding.DiskHog):
		return finding.DiskHog, true
	case some(finding.DiskBusy):
		return finding.DiskBusy, true
	case both, some(finding.NetworkHog) && !some(finding.PacketLoss):
		return finding.NetworkHog, true
	case some(finding.PacketLoss):
		return finding.PacketLoss, true
	}
	return "", false
}
