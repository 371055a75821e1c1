// This file serves the latest sample of a recorder to Prometheus, so that nobody has to wait for
// the files of the day.
//
// It copies each sample of the recorder and writes the copy when a client requests it. A series
// that node_exporter has, too, has the same name, labels, unit and type here, so that one rule
// serves both. The names of all other series begin with limpet_. So do the names of series that
// node_exporter has in more detail. Text and protobuf, which has native histograms, are written by
// hand: an agent on a file server is small enough to audit.
//
//	node_disk_read_bytes_total{device="sda"} 945716224
//	node_network_receive_bytes_total{device="eth0"} 627947667
//	limpet_disk_ios_total{device="sda"} 112133
//	limpet_tcp_rtt_seconds{remote="10.0.0.3",side="accepted"} 0.00021

package agent

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// An Exporter keeps the latest sample and serves it to any number of requests at a time.
type Exporter struct {
	// Name returns the kernel's name of a device. It is set before the first request, and several
	// goroutines call it at a time. If Name is nil or a device has no name, the label has the
	// number of the device.
	Name func(major, minor uint32) string
	// Completed returns how many I/Os of each kind the disk at an index of the sample has
	// completed; the sample has only their sum. Hear calls it. If it is nil, only the sum is
	// served.
	Completed func(i int) (reads, writes, discards uint64)
	// Cost returns the CPU time and memory of the recorder itself; several goroutines call it at a
	// time. If it is nil, these series are left out.
	Cost func() Cost
	// Custom lists the activities of the Custom items in samples. The default is connections only.
	// It must be set before the first sample.
	Custom []sysstat.CustomActivity

	host string
	mux  *http.ServeMux

	mu      sync.Mutex
	heard   bool
	latest  moment
	heardOf latencies
}

// NewExporter returns an Exporter for the samples of a host. It answers requests for /metrics, and
// requests for / with one line of description.
func NewExporter(host string) *Exporter {
	e := &Exporter{host: host, mux: http.NewServeMux(), Custom: []sysstat.CustomActivity{{ID: tcpstat.ID, Size: tcpstat.Size}}}
	e.mux.HandleFunc("GET /metrics", e.metrics)
	e.mux.HandleFunc("GET /{$}", e.index)
	return e
}

// Hear keeps a sample, and adds its requests to the requests of earlier samples.
func (e *Exporter) Hear(t time.Time, uptime uint64, s *sysstat.Sample) {
	heard := moment{
		time: t, uptime: uptime,
		disks: s.Disks, interfaces: s.Interfaces, faults: s.InterfaceErrors,
	}
	var latencies []byte
	for i, c := range e.Custom[:min(len(e.Custom), len(s.Custom))] {
		switch c.ID {
		case tcpstat.ID:
			heard.tcp = s.Custom[i]
		case blklat.ID:
			latencies = s.Custom[i]
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heardOf.add(latencies)
	heard.latencies, heard.missed = e.heardOf.list, e.heardOf.sample.Missed
	e.latest.copy(&heard)
	e.latest.count(e.Completed)
	e.heard = true
}

// ServeHTTP answers a request.
func (e *Exporter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mux.ServeHTTP(w, r)
}

func (e *Exporter) metrics(w http.ResponseWriter, r *http.Request) {
	m, ok := e.snapshot()
	if !ok {
		http.Error(w, "the recorder has not taken a sample yet: try again after one interval", http.StatusServiceUnavailable)
		return
	}
	out := expositionFor(r)
	w.Header().Set("Content-Type", out.contentType())
	w.Header().Set("Vary", "Accept")
	_, _ = w.Write(e.render(out, &m)) // an error means that the client has disconnected
}

func (e *Exporter) index(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(w, "limpet records %s. The latest sample is at /metrics.\n", e.host)
}

// snapshot returns a copy of the latest sample, so that a slow client does not block the recorder.
// ok is false before the first sample.
func (e *Exporter) snapshot() (m moment, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m.copy(&e.latest)
	return m, e.heard
}

// A moment is the part of a sample that is served, with its time.
type moment struct {
	time       time.Time
	uptime     uint64 // in 1/100 s
	disks      []sysstat.Disk
	completed  []completed // I/Os completed by each disk; empty: unknown
	interfaces []sysstat.Interface
	faults     []sysstat.InterfaceErrors
	tcp        []byte // items of tcpstat
	latencies  []latency
	missed     uint64 // number of requests that could not be counted
}

// copy copies another moment into m, and reuses the memory of m.
func (m *moment) copy(from *moment) {
	m.time, m.uptime = from.time, from.uptime
	m.disks = append(m.disks[:0], from.disks...)
	m.completed = append(m.completed[:0], from.completed...)
	m.interfaces = append(m.interfaces[:0], from.interfaces...)
	m.faults = append(m.faults[:0], from.faults...)
	m.tcp = append(m.tcp[:0], from.tcp...)
	m.latencies, m.missed = append(m.latencies[:0], from.latencies...), from.missed
}

// count sets the I/Os completed by each disk.
func (m *moment) count(of func(i int) (reads, writes, discards uint64)) {
	m.completed = m.completed[:0]
	for i := range m.disks {
		if of != nil {
			var c completed
			c.reads, c.writes, c.discards = of(i)
			m.completed = append(m.completed, c)
		}
	}
}
