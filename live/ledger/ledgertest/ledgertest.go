package ledgertest

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

const site = `
name: north
servers: fs[1-8]
arrays:
  - names: ddn[1-2]
    servers_per_array: 4
    luns: 0-7
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-i]
`

// Began is the onset of the incidents in tests, in Unix time.
var Began = time.Date(2011, 3, 13, 9, 15, 0, 0, time.UTC).Unix()

// SentenceWriter returns a writer of sentences for a site with sixteen LUNs: 1.0 to 1.7 and 2.0 to
// 2.7.
func SentenceWriter() *sentence.Writer {
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		panic(err)
	}
	o := engine.DefaultOptions()
	return sentence.New(s, table.Schema{Metrics: metric.All(), Components: len(s.Components)}, &o)
}

// Open opens a ledger that is closed at the end of the test.
func Open(t testing.TB) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// ID returns the ID of the incident at a LUN.
func ID(lun int) string { return fmt.Sprintf("%08x", 0xec080000+lun) }

// Slow returns an incident at LUN 1.n, where n is lun modulo 8. The incident has the given onset,
// in Unix time. The LUN answers 2.49 times slower than its peers.
func Slow(v *sentence.Writer, lun int, onset int64) incident.Incident {
	name := fmt.Sprintf("1.%d", lun%8)
	c, ok := v.System.Lookup(fmt.Sprintf("%s.%d", name, lun%4+1))
	if !ok {
		panic("no component of LUN " + name)
	}
	o := finding.Onset{At: onset, Early: onset - 15, Late: onset + 15}
	return incident.Incident{
		ID: ID(lun), Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: name}, Phase: incident.Active,
		Onset: o, Spell: o, Confirmed: onset + 3600, Last: onset + 3600, Spans: []incident.Span{{From: onset}}, WindowSeconds: 450,
		Severity: 2.4, Worst: 2.67, Windows: 9, Amount: 1.2, Judged: 1, Elsewhere: finding.Tally{Odd: 1, Judged: 48},
		Members: []finding.Member{{
			Component: c, Role: finding.IsSlow, Odd: true, Windows: 9, Ratio: 2.4, Worst: 2.67, Own: 27, Peers: 10.1, Load: 1.01,
			Effect: finding.Effect{Times: 2.49, Low: 2.2, High: 2.8}, Since: onset,
		}},
		Evidence: []finding.Evidence{{
			Metric: "await", Component: c, Decides: true, Unit: "ms", Own: 27, Peers: 10.1, Score: 2.7, Threshold: 1.5,
			Scale: finding.TimesPeers, From: onset, To: onset + 3600,
		}},
	}
}

// Event returns an event with a change of an incident. It sets the fields of the incident that the
// change affects, such as the phase.
func Event(at int64, change incident.Change, in incident.Incident) *incident.Event {
	switch change {
	case incident.Recovers:
		in.Phase = incident.Recovering
	case incident.Clears:
		in.Phase, in.Cleared, in.Ending = incident.Cleared, at, incident.Recovered
	case incident.Mutes:
		in.Muted = true
	}
	return &incident.Event{Time: at, Change: change, Incident: &in}
}

// Suspect returns the suspect that may become the incident at a LUN.
func Suspect(v *sentence.Writer, lun int, onset int64) engine.Suspect {
	in := Slow(v, lun, onset)
	in.ID, in.Phase, in.Confirmed = "", incident.Pending, 0
	return engine.Suspect{Incident: in, ByTime: onset + 3600}
}
