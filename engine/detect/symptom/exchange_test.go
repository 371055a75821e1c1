package symptom

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// connected makes the connections to other servers known; they carry nothing.
func connected(m *machine) { m[window.RxServers], m[window.TxServers] = 0, 0 }

// Exchanges adds traffic from and to other servers, in full frames.
func (m *machine) Exchanges(in, out float64) {
	m.Receives(in, fullFrame)
	m.Sends(out, fullFrame)
	m[window.RxServers] += in * bytesPerMegabyte
	m[window.TxServers] += out * bytesPerMegabyte
}

// healing returns six servers. The first heals the second: it reads three megabytes per second from
// its own drive and from three others, and sends the second server what it has missed.
func healing() []machine {
	list := alike(6, connected)
	list[0].Exchanges(9, 3)
	list[0].Reads(3)
	list[1].Exchanges(3, 0)
	list[1].Writes(3)
	for i := 2; i < 5; i++ {
		list[i].Exchanges(0, 3)
		list[i].Reads(3)
	}
	return list
}

// foundIn returns the findings of the last window, a text each: place, kind and servers.
func foundIn(t *testing.T, machines []machine) []string {
	t.Helper()
	d := fresh(t, plain(len(machines)))
	system := d.places.System
	row := rowOf(system, machines)
	var texts []string
	for i := range int64(5 * winSeconds) {
		row.End = begin + i + 1
		d.Push(row, noneIdle, func(_ int64, found []finding.Finding) {
			texts = nil
			for i := range found {
				f := &found[i]
				var servers []string
				for _, m := range f.Members {
					servers = append(servers, system.Components[m.Component].Server)
				}
				texts = append(texts, fmt.Sprintf("%s %s: %s", f.Place.Name, f.Kind, strings.Join(servers, " ")))
			}
		})
	}
	slices.Sort(texts)
	return texts
}

// TestSelfHeal: a server that heals another, and the server that is healed, are one harmless finding. A
// hog is no server of the system, and is found beside a self-heal, too.
func TestSelfHeal(t *testing.T) {
	for name, tt := range map[string]struct {
		change func([]machine)
		want   []string
	}{
		"a self-heal": {func([]machine) {}, []string{"ios1 system upkeep: ios1 ios2"}},
		"connections are not recorded": {func(all []machine) {
			for i := range all {
				all[i][window.RxServers], all[i][window.TxServers] = table.Missing, table.Missing
			}
		}, []string{"ios1 network-hog: ios1"}},
		"the remote host is no server": {func(all []machine) {
			for i := range all {
				connected(&all[i])
			}
		}, []string{"ios1 network-hog: ios1"}},
		"a hog sends to the healer": {func(all []machine) { all[0].Receives(9, fullFrame) }, []string{"ios1 network-hog: ios1", "ios2 system upkeep: ios2"}},
		"a hog sends to the healed": {func(all []machine) { all[1].Receives(9, fullFrame) }, []string{"ios1 system upkeep: ios1", "ios2 network-hog: ios2"}},
		"a hog sends to another":    {func(all []machine) { all[5].Receives(9, fullFrame) }, []string{"ios1 system upkeep: ios1 ios2", "ios6 network-hog: ios6"}},
		"a process uses the drive":  {func(all []machine) { all[0].Reads(15) }, []string{"ios1 disk-hog: ios1", "ios2 system upkeep: ios2"}},
		"a little": {func(all []machine) {
			copy(all, alike(6, connected))
			all[0].Exchanges(1.9, 0)
			all[1].Exchanges(0, 1.9)
		}, nil},
		"all servers heal the second": {func(all []machine) { // the others only compute what it has missed
			copy(all, alike(6, connected))
			for i := range all {
				all[i].Exchanges(9, 9)
			}
			all[1].Writes(9)
		}, nil},
		"a process writes to the second meanwhile": {func(all []machine) {
			copy(all, alike(6, connected))
			for i := range all {
				all[i].Exchanges(9, 9)
			}
			all[1].Writes(21)
		}, []string{"ios2 disk-hog: ios2"}},
		"servers write what others send": {func(all []machine) { // and a process writes to the second
			copy(all, alike(6, connected))
			for i := range all {
				all[i].Exchanges(15, 15)
				all[i].Writes(15)
			}
			all[1].Writes(12)
		}, []string{"ios2 disk-hog: ios2"}},
		"half of the servers receive": {func(all []machine) {
			for i := range 3 {
				all[i].Exchanges(6, 0)
			}
		}, []string{"ios1 system upkeep: ios1 ios2 ios3"}},
	} {
		all := healing()
		tt.change(all)
		if got := foundIn(t, all); !slices.Equal(got, tt.want) {
			t.Errorf("%s: found %q, want %q", name, got, tt.want)
		}
	}
}

// TestSelfHealEvidence: the finding shows both servers, decides by the server that exchanges most, and
// calls neither of them faulty.
func TestSelfHealEvidence(t *testing.T) {
	d := fresh(t, plain(6))
	row := rowOf(d.places.System, healing())
	var last []finding.Finding
	for i := range int64(5 * winSeconds) {
		row.End = begin + i + 1
		d.Push(row, noneIdle, func(_ int64, found []finding.Finding) { last = found })
	}
	if len(last) != 1 {
		t.Fatalf("%d findings, want 1", len(last))
	}
	f := &last[0]
	if f.Class != finding.Imbalance || !f.Kind.Harmless() {
		t.Errorf("class %s, harmless %t", f.Class, f.Kind.Harmless())
	}
	var texts []string
	for _, e := range f.Evidence {
		texts = append(texts, fmt.Sprintf("%s of %s: %g and %g B/s, %t", e.Metric, d.places.System.Components[e.Component].Server, e.Own, e.Peers, e.Decides))
	}
	want := []string{"rxsrv of ios1: 9e+06 and 0 B/s, true", "rxsrv of ios2: 3e+06 and 0 B/s, false"}
	if !slices.Equal(texts, want) {
		t.Errorf("evidence %q, want %q", texts, want)
	}
	for _, m := range f.Members {
		if m.Role != finding.Exchanging {
			t.Errorf("member %d has the role %q", m.Component, m.Role)
		}
	}
}
