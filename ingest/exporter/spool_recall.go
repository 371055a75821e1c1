package exporter

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// recall returns the devices and the last reading of a server, from the newest
// file that contains a reading. It leaves out damaged files.
func recall(paths []string) (Memory, error) {
	for _, path := range slices.Backward(paths) {
		m, err := recallFrom(path)
		var format *sysstat.FormatError
		if err != nil && !errors.As(err, &format) {
			return m, err
		}
		if err == nil && !m.Time.IsZero() {
			return m, nil
		}
	}
	return Memory{}, nil
}

func recallFrom(path string) (m Memory, err error) {
	r, err := sysstat.Open(path)
	if err != nil {
		return m, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return m, err
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		m.Time, m.Uptime = time.Unix(rec.Time, 0).UTC(), rec.Uptime
		m.Disks, m.Interfaces = rec.Disks(m.Disks), rec.Interfaces(m.Interfaces)
		m.Errors = rec.InterfaceErrors(m.Errors)
		m.Peers, m.Connections = peersOf(rec, m.Peers)
		_, _, size := rec.Items(hoststat.ID)
		m.Waits = size > 0
	}
	m.Devices = r.Inventory().Devices()
	return m, nil
}

// peersOf returns the connections of a record. The second result is true if the
// file records connections, even if this record has no connections.
func peersOf(rec *sysstat.Record, peers []tcpstat.Peer) ([]tcpstat.Peer, bool) {
	peers = peers[:0]
	raw, count, size := rec.Items(tcpstat.ID)
	for range count {
		var p tcpstat.Peer
		if tcpstat.Decode(raw[:size], &p) == nil {
			peers = append(peers, p)
		}
		raw = raw[size:]
	}
	return peers, size > 0
}
