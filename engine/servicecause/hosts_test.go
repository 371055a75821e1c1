package servicecause

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

const hosts = `name: t
servers: s[1-4]
drives:
  - {servers: "s[1-4]", devices: sda, sets: data, peers: set}
  - {servers: "s[1-4]", devices: sdb, sets: db, peers: set}
interfaces:
  - {servers: "s[1-4]", names: e0}
parts:
  s1/sda: {volume: osd.0}
  s2/sda: {volume: osd.1}
  s3/sda: {volume: osd.2}
`

// world has four hosts for ten minutes from the time 6000 on. Each device takes 5 ms; slow[device]
// times as long from the fifth minute on.
func world(t *testing.T, slow map[string]float64, incidents ...incident.Incident) *Hosts {
	t.Helper()
	system, _, err := topology.Parse("t.yaml", []byte(hosts))
	if err != nil {
		t.Fatal(err)
	}
	h := New(system, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(system.Components)}, 1.5)
	for at := int64(6015); at <= 6600; at += 15 {
		row := table.Row{End: at, Values: [][]float64{make([]float64, len(system.Components)), make([]float64, len(system.Components))}}
		for c := range system.Components {
			row.Values[0][c], row.Values[1][c] = 10, 5
			switch times, ok := slow[system.Components[c].Name]; {
			case system.Components[c].Device == "e0":
				row.Values[0][c], row.Values[1][c] = table.Missing, table.Missing
			case ok && at > 6300:
				row.Values[1][c] *= times
			}
		}
		h.Row(&row)
	}
	h.Finish(incidents)
	return h
}

// at is an incident at a component of the world.
func at(t *testing.T, component string, kind finding.Kind) incident.Incident {
	t.Helper()
	system, _, _ := topology.Parse("t.yaml", []byte(hosts))
	c, ok := system.Lookup(component)
	if !ok {
		t.Fatalf("no %s", component)
	}
	server := system.Components[c].Server
	return incident.Incident{
		Kind: kind, Class: finding.Resource, Place: blame.Place{Tier: blame.Server, Name: server},
		Members: []finding.Member{{Component: c}}, Onset: finding.Onset{At: 6310, Early: 6300, Late: 6320}, Last: 6590,
	}
}

// TestExplain: the cause is what the host shows, and the service itself only if its device was seen and
// is as fast as its peers.
func TestExplain(t *testing.T) {
	osd1 := topology.Component{Name: "osd.1"}
	osd1.Volume, osd1.Server = "osd.1", "s2"
	unknown := topology.Component{Name: "osd.9"}
	unknown.Volume, unknown.Server = "osd.9", "s9"
	byDevice := topology.Component{Name: "osd.7", Server: "s4", Device: "sda"}
	for name, c := range map[string]struct {
		hosts   *Hosts
		service topology.Component
		want    Cause
	}{
		"its device is slow":                           {world(t, map[string]float64{"s2/sda": 3}), osd1, Device},
		"nothing is slow":                              {world(t, nil), osd1, Service},
		"the device of another is slow":                {world(t, map[string]float64{"s3/sda": 3}), osd1, Service},
		"its network loses packets":                    {world(t, nil, at(t, "s2/e0", finding.PacketLoss)), osd1, Network},
		"the network of another loses packets":         {world(t, nil, at(t, "s3/e0", finding.PacketLoss)), osd1, Service},
		"the drive of the databases of its host":       {world(t, map[string]float64{"s2/sdb": 9}, at(t, "s2/sdb", finding.DiskBusy)), osd1, Device},
		"its server pauses":                            {world(t, nil, at(t, "s2/e0", finding.Pauses)), osd1, Server},
		"the device goes before the network":           {world(t, nil, at(t, "s2/sda", finding.DiskBusy), at(t, "s2/e0", finding.PacketLoss)), osd1, Device},
		"its device is slow, and packets are lost":     {world(t, map[string]float64{"s2/sda": 3}, at(t, "s2/e0", finding.PacketLoss)), osd1, Device},
		"a harmless incident explains nothing":         {world(t, nil, at(t, "s2/sda", finding.ArrayUpkeep)), osd1, Service},
		"a host that nobody recorded":                  {world(t, nil), unknown, Unknown},
		"a service that is found by server and device": {world(t, map[string]float64{"s4/sda": 3}), byDevice, Device},
	} {
		got := c.hosts.Explain(&c.service, 6300, 6600)
		if got.Cause != c.want {
			t.Errorf("%s: %q, want %q: %+v", name, got.Cause, c.want, got)
		}
	}
	e := world(t, map[string]float64{"s2/sda": 3}).Explain(&osd1, 6300, 6600)
	if e.Device != "s2/sda" || e.OwnMs != 15 || e.PeersMs != 5 {
		t.Errorf("%+v, want 15 ms of s2/sda and 5 ms of its peers", e)
	}
	if e := world(t, map[string]float64{"s2/sda": 3}).Explain(&osd1, 6000, 6300); e.Cause != Service {
		t.Errorf("before the device was slow: %+v", e)
	}
}

// TestOther: the drive that OSDs share is named, and the device of the OSD itself is not another one.
func TestOther(t *testing.T) {
	osd1 := topology.Component{Name: "osd.1"}
	osd1.Volume, osd1.Server = "osd.1", "s2"
	for component, want := range map[string]string{"s2/sdb": "s2/sdb", "s2/sda": "", "s2/e0": ""} {
		if e := world(t, nil, at(t, component, finding.DiskBusy)).Explain(&osd1, 6300, 6600); e.OtherDevice != want {
			t.Errorf("an incident at %s: %q, want %q", component, e.OtherDevice, want)
		}
	}
}

// TestGap: a gap of years costs nothing, and what lies before it is forgotten.
func TestGap(t *testing.T) {
	h := world(t, nil)
	row := table.Row{End: 6600 + 5*365*86400, Values: [][]float64{make([]float64, len(h.system.Components)), make([]float64, len(h.system.Components))}}
	h.Row(&row)
	if len(h.minutes) != 1 {
		t.Errorf("%d minutes are kept", len(h.minutes))
	}
}
