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

// personsPatience is how long devices may take to answer when a person waits for the output. It is
// long, because no sample has to be on time.
const personsPatience = 3 * time.Second

// once prints one sample as text.
func once(w io.Writer, o Options) error {
	m, err := openMachine(o, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer m.close()
	m.inventory.patience = personsPatience
	v := m.view(o.Record.File)
	v.time = time.Now() //nolint:forbidigo // the time of a sample needs the real clock
	out := bufio.NewWriter(w)
	v.print(out)
	return out.Flush()
}

// A view is a sample with the description of its devices, and the errors that occurred.
type view struct {
	host     sysstat.WriterOptions
	time     time.Time
	uptime   uint64
	sample   sysstat.Sample
	tcp      bool   // connections are recorded
	hookKind string // hooks by which latencies are measured; "": not recorded
	peers    []tcpstat.Peer
	devices  *sysstat.Inventory
	trouble  []string
}

// view takes a sample, and collects all errors that occur.
func (m *machine) view(host sysstat.WriterOptions) *view {
	v := &view{host: host, tcp: m.tcp != nil}
	v.host.CPUs = m.cpus
	var err error
	v.uptime, err = m.Uptime()
	v.note(err)
	v.note(m.kernel.Sample(&v.sample))
	v.note(m.tcpError)
	v.note(m.latencyError)
	v.note(m.unmatchedError)
	if m.probe != nil {
		v.hookKind = m.probe.HookKind
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

// note records an error, one line for each joined error.
func (v *view) note(err error) {
	if err != nil {
		v.trouble = append(v.trouble, strings.Split(err.Error(), "\n")...)
	}
}
