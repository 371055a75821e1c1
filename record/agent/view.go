package agent

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

const sectorBytes = 512

// print writes the sample. Counters count from the boot of the machine.
func (v *view) print(w io.Writer) {
	fmt.Fprintf(w, "%s, Linux %s %s, %d CPUs, up %v, at %s\n", v.host.Hostname, v.host.Release, v.host.Machine,
		v.host.CPUs, time.Duration(v.uptime)*10*time.Millisecond, v.time.Format("2006-01-02 15:04:05 MST"))
	v.printDisks(w)
	v.printDevices(w)
	v.printInterfaces(w)
	v.printTCP(w)
	v.printPeers(w)
	v.printLatencies(w)
	title(w, "Counters that cannot be read", len(v.trouble))
	for _, line := range v.trouble {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

func title(w io.Writer, what string, count int) {
	fmt.Fprintf(w, "\n%s: %d\n", what, count)
}

func (v *view) printDisks(w io.Writer) {
	title(w, "Devices with I/O since the start of the machine", len(v.sample.Disks))
	g := grid{columns: []column{
		{head: "device", words: true},
		{head: "I/Os"},
		{head: "MB read"},
		{head: "MB written"},
		{head: "ms reading"},
		{head: "ms writing"},
		{head: "ms busy"},
		{head: "model", words: true},
	}}
	names := v.devices.Names(v.sample.Disks, nil)
	for i, d := range v.sample.Disks {
		known, _ := v.devices.Device(d.Major, d.Minor)
		g.add(names[i], count(d.IOs), megabytes(d.ReadSectors*sectorBytes), megabytes(d.WriteSectors*sectorBytes),
			count(uint64(d.ReadTicks)), count(uint64(d.WriteTicks)), count(uint64(d.BusyTicks)), known.Model)
	}
	g.print(w)
}

func (v *view) printDevices(w io.Writer) {
	devices := v.devices.Devices()
	title(w, "All devices", len(devices))
	g := grid{columns: []column{
		{head: "device", words: true},
		{head: "device number", words: true},
		{head: "MB"},
		{head: "serial", words: true},
		{head: "WWN", words: true},
		{head: "part of", words: true},
	}}
	for _, d := range devices {
		wholes := slices.DeleteFunc(append([]string{d.MD, d.Pool}, d.Parents...), func(s string) bool { return s == "" })
		g.add(d.Name, fmt.Sprintf("%d:%d", d.Major, d.Minor), megabytes(d.Size),
			d.Serial, d.WWN, strings.Join(wholes, ", "))
	}
	g.print(w)
}

func (v *view) printInterfaces(w io.Writer) {
	title(w, "Interfaces", len(v.sample.Interfaces))
	g := grid{columns: []column{
		{head: "interface", words: true},
		{head: "Mbit/s"},
		{head: "MB in"},
		{head: "MB out"},
		{head: "packets in"},
		{head: "packets out"},
		{head: "errors"},
		{head: "drops"},
		{head: "addresses", words: true},
	}}
	for i, n := range v.sample.Interfaces {
		var e sysstat.InterfaceErrors
		if i < len(v.sample.InterfaceErrors) {
			e = v.sample.InterfaceErrors[i]
		}
		speed := ""
		if n.SpeedMbit > 0 {
			speed = count(uint64(n.SpeedMbit))
		}
		g.add(n.Name, speed, megabytes(n.RxBytes), megabytes(n.TxBytes), count(n.RxPackets), count(n.TxPackets),
			count(e.RxErrors+e.TxErrors), count(e.RxDropped+e.TxDropped), v.addresses(n.Name))
	}
	g.print(w)
}

func (v *view) addresses(of string) string {
	var list []string
	for _, a := range v.devices.Addresses() {
		if a.Interface == of {
			list = append(list, a.Addr.String())
		}
	}
	return strings.Join(list, ", ")
}

func (v *view) printTCP(w io.Writer) {
	t, e := v.sample.TCP, v.sample.TCPErrors
	fmt.Fprintf(w, "\nTCP segments: %d in, %d out, %d retransmitted, %d with errors\n", t.InSegs, t.OutSegs, e.RetransSegs, e.InErrs)
}

func (v *view) printPeers(w io.Writer) {
	if !v.tcp {
		fmt.Fprintf(w, "\nConnections: not recorded\n")
		return
	}
	title(w, "Remote hosts with connections", len(v.peers))
	g := grid{columns: []column{
		{head: "remote", words: true},
		{head: "accepted or dialled", words: true},
		{head: "sockets"},
		{head: "cwnd"},
		{head: "RTT ms"},
		{head: "retransmitted"},
		{head: "delivered"},
		{head: "MB sent"},
		{head: "MB received"},
		{head: "congestion control", words: true},
	}}
	for _, p := range v.peers {
		side := "accepted"
		if p.Dialled {
			side = "dialled"
		}
		g.add(p.Remote.String(), side, count(uint64(p.Sockets)), fmt.Sprintf("%.1f", p.Cwnd), fmt.Sprintf("%.3f", p.RTT*1e3),
			count(p.Retrans), count(p.Delivered), megabytes(p.Sent), megabytes(p.Received), p.Control.String())
	}
	g.print(w)
}

// printLatencies prints whether latencies of requests are recorded, and how. There are no latencies
// yet, because the program has just begun.
func (v *view) printLatencies(w io.Writer) {
	how := "not recorded"
	if v.hookKind != "" {
		how = "recorded, by " + v.hookKind
	}
	fmt.Fprintf(w, "\nLatencies of requests: %s\n", how)
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

func megabytes(bytes uint64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }
