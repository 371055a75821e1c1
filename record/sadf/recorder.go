// This file prints the activities that only limpet's recorder writes: connections,
// latencies of requests, and the inventory of a machine. Lines have semicolons between
// the cells, as sadf -d has them, so that the same scripts read both.

package sadf

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// The activities that limpet record writes beyond sysstat, in lines like sadf's:
//
//	# hostname;timestamp;remote;side;sockets;cwnd;rtt-ms;retransmitted;delivered;sent;received;cwnd-delivered;congestion-control
//	fs1;2026-03-01 12:00:01 UTC;10.0.0.21;accepted;12;83.25;0.213;17;1000000;1500000000;2000000;91000000;cubic
//
// A file of version 1 has no cwnd-delivered and no congestion-control: the cells are empty.
//
//	# hostname;device;number;bytes;model;serial;WWN;part of;upkeep;state
//	fs1;sda;8:0;16000900661248;ST16000NM001G;ZL2A9XYZ;0x5000c500a1b2c3d4;md0,dm-3;check;
//	# hostname;interface;address
//	fs1;eth0;10.0.0.7

// Connections prints the connections of each sample.
func Connections(w io.Writer, src Source) error {
	recorded := func(a sysstat.Activity) bool { return a.ID == tcpstat.ID }
	if !slices.ContainsFunc(src.Header().Activities, recorded) {
		return fmt.Errorf("%s: the file holds no connections: run limpet record without --no-tcp", src.Header().File)
	}
	fmt.Fprintln(w, "# hostname;timestamp;remote;side;sockets;cwnd;rtt-ms;retransmitted;delivered;sent;received;cwnd-delivered;congestion-control")
	for {
		rec, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = peers(w, rec)
		}
		if err != nil {
			return err
		}
	}
}

// peers prints the connections of a record, if it has any.
func peers(w io.Writer, rec *sysstat.Record) error {
	var lines strings.Builder
	raw, count, size := rec.Items(tcpstat.ID)
	for i := range count {
		var p tcpstat.Peer
		if err := tcpstat.Decode(raw[i*size:][:size], &p); err != nil {
			return fmt.Errorf("%s: offset %d: %w", rec.Header().File, rec.Offset, err)
		}
		side := "accepted"
		if p.Dialled {
			side = "dialled"
		}
		weighted := ""
		if p.CwndDelivered > 0 || p.Control != (tcpstat.Control{}) {
			weighted = strconv.FormatUint(p.CwndDelivered, 10)
		}
		fmt.Fprintf(&lines, "%s;%s;%s;%s;%d;%.2f;%.3f;%d;%d;%d;%d;%s;%s\n", rec.Header().Hostname, timeOf(rec), p.Remote, side,
			p.Sockets, p.Cwnd, p.RTT*1e3, p.Retrans, p.Delivered, p.Sent, p.Received, weighted, p.Control)
	}
	_, err := io.WriteString(w, lines.String())
	return err
}

func timeOf(rec *sysstat.Record) string {
	return time.Unix(rec.Time, 0).UTC().Format("2006-01-02 15:04:05 UTC")
}

// Inventory prints the devices and the addresses that are known at the end of the file.
func Inventory(w io.Writer, src Source) error {
	for {
		if _, err := src.Next(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	host, known := src.Header().Hostname, src.Inventory()
	fmt.Fprintln(w, "# hostname;device;number;bytes;model;serial;WWN;part of;upkeep;state")
	for _, d := range known.Devices() {
		wholes := slices.DeleteFunc(append([]string{d.MD, d.Pool}, d.Parents...), func(s string) bool { return s == "" })
		fmt.Fprintf(w, "%s;%s;%d:%d;%d;%s;%s;%s;%s;%s;%s\n", host, cell(d.Name), d.Major, d.Minor, d.Size,
			cell(d.Model), cell(d.Serial), cell(d.WWN), cell(strings.Join(wholes, ",")), cell(d.Upkeep), cell(d.State))
	}
	fmt.Fprintln(w, "# hostname;interface;address")
	for _, a := range known.Addresses() {
		fmt.Fprintf(w, "%s;%s;%s\n", host, cell(a.Interface), a.Addr)
	}
	return nil
}

// cell returns a text without semicolons, which separate cells.
func cell(text string) string { return strings.ReplaceAll(text, ";", ",") }
