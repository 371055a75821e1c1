package metric

import (
	"fmt"
	"slices"
	"strings"
)

// Direction defines which values of a metric are a sign of a problem: high values, low values, or
// both.
type Direction int8

// The directions of metrics.
const (
	Either Direction = iota // both higher and lower values are anomalous, as for throughput
	Higher                  // higher values are worse, as for latency
	Lower                   // lower values are worse, as for congestion windows
)

var directionNames = []string{"either", "higher", "lower"}

func (d Direction) String() string { return directionNames[d] }

// ParseDirection returns the direction with the given name: either, higher or lower.
func ParseDirection(s string) (Direction, error) {
	if i := slices.Index(directionNames, s); i >= 0 {
		return Direction(i), nil
	}
	return 0, fmt.Errorf("direction %q is unknown: use higher, lower or either", s)
}

// Subject is the kind of component on which a metric is measured.
type Subject uint8

// The subjects of metrics.
const (
	SubjectDevice    Subject = iota // a block device of a server
	SubjectInterface                // a network interface of a server
	SubjectHost                     // the connections of a server
)

// Metric is one measured quantity of a component.
type Metric struct {
	Name    string
	Unit    string
	Subject Subject
	Worse   Direction
	// Noise is the greatest difference that does not matter: await below 1 ms and throughput below
	// 10 kB/s are noise (L13 §5.3.2). It has two uses. In groups that are mostly idle, histogram
	// bins are at least this wide. A path that is normally idle (a standby path) is anomalous only
	// if its value is at least Noise.
	Noise float64
	// PerIO is set if the metric is an average over requests. A step without requests contains no
	// information about such a metric.
	PerIO bool
}

// Ratio reports whether values of the metric are compared as ratios. This is true for times and for
// lengths of queues. Plots of such a metric have a logarithmic axis.
func (m Metric) Ratio() bool { return m.Subject == SubjectDevice && m.Worse == Higher && m.Unit != "%" }

// The device metrics of L13 Table 1, in the order and units of the table.
var (
	TPS     = Metric{Name: "tps", Unit: "1/s", Worse: Either, Noise: 1}
	RdSec   = Metric{Name: "rd_sec", Unit: "sectors/s", Worse: Either, Noise: 20}
	WrSec   = Metric{Name: "wr_sec", Unit: "sectors/s", Worse: Either, Noise: 20}
	AvgRqSz = Metric{Name: "avgrq-sz", Unit: "sectors", Worse: Either, Noise: 1, PerIO: true}
	AvgQuSz = Metric{Name: "avgqu-sz", Unit: "requests", Worse: Higher, Noise: 0.1}
	Await   = Metric{Name: "await", Unit: "ms", Worse: Higher, Noise: 1, PerIO: true}
	SvcTm   = Metric{Name: "svctm", Unit: "ms", Worse: Higher, Noise: 1, PerIO: true}
	Util    = Metric{Name: "%util", Unit: "%", Worse: Higher, Noise: 1}
)

// The network metrics of F10 Table 1, in the order of the table. Throughput below 10 kB/s
// is noise, as for devices. Fewer than 10 packets per second are noise too.
var (
	RxPck = Metric{Name: "rxpck", Unit: "1/s", Subject: SubjectInterface, Worse: Either, Noise: 10}
	TxPck = Metric{Name: "txpck", Unit: "1/s", Subject: SubjectInterface, Worse: Either, Noise: 10}
	RxByt = Metric{Name: "rxbyt", Unit: "B/s", Subject: SubjectInterface, Worse: Either, Noise: 10_000}
	TxByt = Metric{Name: "txbyt", Unit: "B/s", Subject: SubjectInterface, Worse: Either, Noise: 10_000}
)

// IfSpeed is the speed of a network interface's link. Traffic is judged as a share of this speed.
// The value is missing if the kernel does not report the speed, as for many virtual interfaces.
var IfSpeed = Metric{Name: "ifspeed", Unit: "B/s", Subject: SubjectInterface, Worse: Lower, Noise: 10_000}

// The congestion windows of a server's TCP connections. A lost segment shrinks only the window of
// its sender. So only the windows of the clients show a loss on the way from clients to a server
// (F10 §6).
var (
	CwndOut = Metric{Name: "cwnd_out", Unit: "segments", Subject: SubjectHost, Worse: Lower, Noise: 1} // congestion windows of connections from the server to clients, measured on the server
	CwndIn  = Metric{Name: "cwnd_in", Unit: "segments", Subject: SubjectHost, Worse: Lower, Noise: 1}  // congestion windows of connections from clients to the server, measured on the clients
)

// The mean congestion windows, weighted by traffic: the window of a socket counts once for each
// segment that the socket delivers. An idle socket delivers no segment. So its window, which keeps
// its initial size, has no weight.
var (
	WCwndOut = Metric{Name: "wcwnd_out", Unit: "segments", Subject: SubjectHost, Worse: Lower, Noise: 1}
	WCwndIn  = Metric{Name: "wcwnd_in", Unit: "segments", Subject: SubjectHost, Worse: Lower, Noise: 1}
)

// The share of connections whose congestion windows shrink when a segment is lost. With the
// congestion control cubic the share is 1. With BBR the share is 0, because windows of BBR do not
// show a loss. The value is missing if the congestion control is unknown for all connections.
var (
	ShrinkOut = Metric{Name: "shrink_out", Unit: "share", Subject: SubjectHost, Worse: Either, Noise: 0.5} // share of connections on which the server's windows shrink
	ShrinkIn  = Metric{Name: "shrink_in", Unit: "share", Subject: SubjectHost, Worse: Either, Noise: 0.5}  // share of connections on which the clients' windows shrink
)

// These metrics count the segments that the TCP connections of a server deliver, and the segments
// that they send again. The numbers come from TCP_INFO of the kernel. The share of segments that
// are sent again measures loss without the noise of congestion windows.
var (
	RetrOut = Metric{Name: "retr_out", Unit: "1/s", Subject: SubjectHost, Worse: Higher, Noise: 1} // segments that the server sends to clients again
	RetrIn  = Metric{Name: "retr_in", Unit: "1/s", Subject: SubjectHost, Worse: Higher, Noise: 1}  // segments that clients send to the server again
	DlvOut  = Metric{Name: "dlv_out", Unit: "1/s", Subject: SubjectHost, Worse: Lower, Noise: 10}  // segments delivered from the server to clients
	DlvIn   = Metric{Name: "dlv_in", Unit: "1/s", Subject: SubjectHost, Worse: Lower, Noise: 10}   // segments delivered from clients to the server
)

// The data that a server exchanges with other servers of the system, from TCP_INFO of the kernel.
// After an outage, other servers send a server the data that it missed. During this time, the
// server and the servers that send the data have more of this traffic than their peers. A value is
// 0 if no connection leads to another server, and missing if connections are not recorded.
var (
	RxSrv = Metric{Name: "rxsrv", Unit: "B/s", Subject: SubjectHost, Worse: Either, Noise: 10_000} // data received from other servers
	TxSrv = Metric{Name: "txsrv", Unit: "B/s", Subject: SubjectHost, Worse: Either, Noise: 10_000} // data sent to other servers
)

// The indexes of the metrics in the list that [Device] returns.
const (
	atTPS = iota
	atRdSec
	atWrSec
	atAvgRqSz
	atAvgQuSz
	atAwait
	atSvcTm
	atUtil
)

// Device returns the metrics of a block device in the order of L13 Table 1.
func Device() []Metric {
	return []Metric{
		atTPS: TPS, atRdSec: RdSec, atWrSec: WrSec, atAvgRqSz: AvgRqSz,
		atAvgQuSz: AvgQuSz, atAwait: Await, atSvcTm: SvcTm, atUtil: Util,
	}
}

// Interface returns the metrics of a network interface: the metrics of F10 Table 1 in the
// order of the table, then the speed of the link.
func Interface() []Metric { return []Metric{RxPck, TxPck, RxByt, TxByt, IfSpeed} }

// Host returns the metrics of a server's connections.
func Host() []Metric {
	return []Metric{CwndOut, CwndIn, RetrOut, RetrIn, DlvOut, DlvIn, WCwndOut, WCwndIn, ShrinkOut, ShrinkIn, RxSrv, TxSrv}
}

// All returns every metric that limpet itself measures. Tables may have other metrics.
func All() []Metric { return slices.Concat(Device(), Interface(), Host()) }

// Lookup returns the metric with the given name.
func Lookup(name string) (Metric, error) {
	var names []string
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Metric{}, fmt.Errorf("metric %q is unknown: use one of %s", name, strings.Join(names, ", "))
}

// Index returns the index of the metric with the given name in a list of metrics, or -1 if the list
// does not have this metric.
func Index(ms []Metric, name string) int {
	return slices.IndexFunc(ms, func(m Metric) bool { return m.Name == name })
}

// Seconds returns the length of one unit of the metric in seconds; 0 if the unit is not a
// unit of time.
func (m *Metric) Seconds() float64 {
	switch m.Unit {
	case "s":
		return 1
	case "ms":
		return 1e-3
	case "us", "µs":
		return 1e-6
	case "ns":
		return 1e-9
	}
	return 0
}
