package agent

import (
	"bufio"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// personsPatience is how long devices may take to answer while somebody waits
// for the whole picture and no sample is late for it.
const personsPatience = 3 * time.Second

// once prints a sample as people read it.
func once(w io.Writer, o Options) error {
	m, err := openMachine(o, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer m.close()
	m.inventory.patience = personsPatience
	v := m.view(o.Record.File)
	v.time = time.Now() //nolint:forbidigo // a sample has a time
	out := bufio.NewWriter(w)
	v.print(out)
	return out.Flush()
}

// A view is a sample with all that is known about it, and what is not.
type view struct {
	host    sysstat.WriterOptions
	time    time.Time
	uptime  uint64
	sample  sysstat.Sample
	tcp     bool   // connections are recorded
	way     string // by which hooks latencies are measured; "": not recorded
	peers   []tcpstat.Peer
	devices *sysstat.Inventory
	trouble []string
}

// view takes a sample, and hides nothing that went wrong with it.
func (m *machine) view(host sysstat.WriterOptions) *view {
	v := &view{host: host, tcp: m.tcp != nil}
	v.host.CPUs = m.cpus
	var err error
	v.uptime, err = m.Uptime()
	v.note(err)
	v.note(m.kernel.Sample(&v.sample))
	v.note(m.noTCP)
	v.note(m.deaf)
	v.note(m.idle)
	if m.probe != nil {
		v.way = m.probe.Way
	}
	if v.tcp {
		v.sample.Custom = make([][]byte, 1)
		v.note(m.samplePeers(&v.sample))
		v.peers = m.peers
	}
	_, err = m.look()
	v.note(err)
	if m.inventory.asking {
		v.note(errSilent)
	}
	v.devices = m.inventory.devices.Load()
	return v
}

// note takes in what went wrong, joined errors line by line.
func (v *view) note(err error) {
	if err != nil {
		v.trouble = append(v.trouble, strings.Split(err.Error(), "\n")...)
	}
}
