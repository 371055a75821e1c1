package sadf

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// TestConnections: files of today's recorder show windows by traffic and
// congestion control; those of version 1 leave the cells empty.
func TestConnections(t *testing.T) {
	p := tcpstat.Peer{
		Remote: netip.MustParseAddr("10.0.0.21"), Sockets: 12, Cwnd: 83.25, RTT: 0.000213, Retrans: 17, Delivered: 1000,
		Sent: 1_500_000, Received: 2000, CwndDelivered: 91_000, Control: tcpstat.ControlOf("cubic"),
	}
	item := tcpstat.Append(nil, &p)
	first := bytes.Clone(item[:72])
	first[0] = 1
	const (
		header = "# hostname;timestamp;remote;side;sockets;cwnd;rtt-ms;retransmitted;delivered;sent;received;cwnd-delivered;congestion-control\n"
		line   = "fs1;2026-03-01 12:00:00 UTC;10.0.0.21;accepted;12;83.25;0.213;17;1000;1500000;2000;"
	)
	for want, item := range map[string][]byte{header + line + "91000;cubic\n": item, header + line + ";\n": first} {
		r, err := sysstat.NewReader(bytes.NewReader(fileOf(t, item)), "fs1")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Connections(&out, r); err != nil || out.String() != want {
			t.Errorf("%v, got\n%swant\n%s", err, out.String(), want)
		}
	}
}

// fileOf is an activity file of one record with an item of connections.
func fileOf(t *testing.T, item []byte) []byte {
	t.Helper()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", at
	o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: len(item)}}
	w, err := sysstat.NewWriter(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteStats(at, 1000, &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Custom: [][]byte{item}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
