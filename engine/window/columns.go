package window

import "github.com/limpet-storage/limpet/engine/metric"

// Column is a metric that [Totals] sums.
type Column uint8

// The columns: metrics of drives, of interfaces and of connections.
const (
	TPS Column = iota
	Read
	Written
	Await
	Util
	RxBytes
	TxBytes
	RxPackets
	TxPackets
	CwndOut
	CwndIn
	RetrOut
	RetrIn
	DlvOut
	DlvIn
	IfSpeed
	WCwndOut
	WCwndIn
	ShrinkOut
	ShrinkIn
	RxServers
	TxServers
	NumColumns
)

// Columns has the metric of each column.
var Columns = [NumColumns]metric.Metric{
	TPS: metric.TPS, Read: metric.RdSec, Written: metric.WrSec, Await: metric.Await, Util: metric.Util,
	RxBytes: metric.RxByt, TxBytes: metric.TxByt, RxPackets: metric.RxPck, TxPackets: metric.TxPck,
	CwndOut: metric.CwndOut, CwndIn: metric.CwndIn,
	RetrOut: metric.RetrOut, RetrIn: metric.RetrIn, DlvOut: metric.DlvOut, DlvIn: metric.DlvIn,
	IfSpeed: metric.IfSpeed, WCwndOut: metric.WCwndOut, WCwndIn: metric.WCwndIn, ShrinkOut: metric.ShrinkOut, ShrinkIn: metric.ShrinkIn,
	RxServers: metric.RxSrv, TxServers: metric.TxSrv,
}

// Metrics returns the names of the metrics of all columns.
func Metrics() []string {
	var names []string
	for _, m := range Columns {
		names = append(names, m.Name)
	}
	return names
}

// Direction holds the columns about TCP segments in one direction: from clients to a server, or
// from the server to its clients.
type Direction struct {
	Resent, Delivered Column // segments that were sent again, and segments that were delivered
	Cwnd, Weighted    Column // congestion windows, averaged over sockets (Cwnd) and over segments (Weighted)
	Shrinks           Column // share of connections whose congestion windows shrink when segments are lost
}

// The indexes in Directions.
const (
	FromClients = iota
	ToClients
	NumDirections
)

// Directions has two elements: segments from clients to the server, and segments from the server to
// clients.
var Directions = [NumDirections]Direction{
	FromClients: {RetrIn, DlvIn, CwndIn, WCwndIn, ShrinkIn},
	ToClients:   {RetrOut, DlvOut, CwndOut, WCwndOut, ShrinkOut},
}
