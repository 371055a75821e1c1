package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// osds is a writer about three OSDs of Ceph that report about themselves.
func osds(t *testing.T) *Writer {
	t.Helper()
	system := &topology.System{Groups: []topology.PeerGroup{{ID: 1, Name: "ssd", Members: []int{0, 1, 2}}}}
	for _, n := range []string{"1", "2", "3"} {
		c := topology.Component{Name: "osd." + n, Server: "s" + n, Device: "sda", Group: 1}
		c.Storage, c.Volume = "ceph", "osd."+n
		system.Servers, system.Components = append(system.Servers, c.Server), append(system.Components, c)
	}
	o := engine.DefaultOptions()
	o.Metrics = []string{"latency"}
	latency := metric.Metric{Name: "latency", Unit: "ms", Worse: metric.Higher, Noise: 1}
	return New(system, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{latency}, Components: 3, Load: -1}, &o)
}

const osdHosts = `name: t
servers: s[1-4]
drives:
  - {servers: "s[1-4]", devices: sda, sets: data, peers: set}
  - {servers: "s[1-4]", devices: sdb, sets: db, peers: set}
interfaces:
  - {servers: "s[1-4]", names: e0}
parts:
  s1/sda: {volume: osd.1}
  s2/sda: {volume: osd.2}
  s3/sda: {volume: osd.3}
  s4/sda: {volume: osd.4}
`

// hostsOf is a record of hosts in which the device of osd.2 takes so many ms for a request, the others
// 5, with an incident at a component, if one is named.
func hostsOf(t *testing.T, ms float64, component string, kind finding.Kind) *servicecause.Hosts {
	t.Helper()
	system, _, err := topology.Parse("t.yaml", []byte(osdHosts))
	if err != nil {
		t.Fatal(err)
	}
	h := servicecause.New(system, table.Schema{StepSeconds: 60, Metrics: []metric.Metric{metric.Await}, Components: len(system.Components)}, 1.5)
	row := table.Row{End: 6060, Values: [][]float64{make([]float64, len(system.Components))}}
	for c := range system.Components {
		row.Values[0][c] = 5
		if system.Components[c].Name == "s2/sda" {
			row.Values[0][c] = ms
		}
	}
	h.Row(&row)
	if c, ok := system.Lookup(component); ok {
		h.Finish([]incident.Incident{{
			Kind: kind, Place: blame.Place{Tier: blame.Server, Name: system.Components[c].Server}, Members: []finding.Member{{Component: c}},
			Onset: finding.Onset{At: 6000, Early: 6000, Late: 6000}, Last: 6060,
		}})
	}
	return h
}

// TestBeneath: a slow OSD is told with its device, its network or its daemon, and the first step
// follows from that. Without its host nothing is said of them but that they were not checked.
func TestBeneath(t *testing.T) {
	w := osds(t)
	in := incident.Incident{
		Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: "osd.2"}, Phase: incident.Active,
		Members: []finding.Member{{Component: 1, Role: finding.IsSlow, Ratio: 3, Worst: 3, Own: 30, Peers: 10}}, Onset: finding.Onset{At: 6000, Early: 6000, Late: 6000}, Last: 6060,
	}
	for name, tt := range map[string]struct {
		hosts      *servicecause.Hosts
		says, next string
	}{
		"the device":  {hostsOf(t, 20, "", ""), "device s2/sda of the daemon took 20 ms for a request, and the peers of the device took 5 ms: a sign that the device is slow, not the daemon", "smartctl"},
		"the daemon":  {hostsOf(t, 5, "", ""), "device s2/sda of the daemon took 5 ms for a request, and the peers of the device took 5 ms: a sign that the daemon is slow, not the device", "ceph tell osd.2 dump_historic_ops"},
		"the network": {hostsOf(t, 5, "s2/e0", finding.PacketLoss), "at the same time, the host reports a problem (packet loss): a sign that the network of s2 is the cause", "Check the network of s2"},
		"the server":  {hostsOf(t, 5, "s2/e0", finding.Pauses), "at the same time, the host reports a problem (pauses): a sign that server s2 is the cause, not the device", "Find out what stops s2"},
		"a database":  {hostsOf(t, 5, "s2/sdb", finding.SlowDrive), "at the same time, the host also reports a problem with device s2/sdb (slow drive). Several services of s2 may share this device", "Check device s2/sdb first"},
	} {
		w.Hosts = tt.hosts
		if got := strings.Join(w.Because(&in), "\n"); !strings.Contains(got, tt.says) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.says)
		}
		if step := w.Next(&in)[0]; !strings.Contains(step.Text+" "+step.Command, tt.next) {
			t.Errorf("%s: the first step is %+v, want %s", name, step, tt.next)
		}
		for _, x := range w.NotChecked(&in) {
			if strings.Contains(x.What, "device") {
				t.Errorf("%s: %s", name, x.String())
			}
		}
	}
	w.Hosts = nil
	if got := w.NotChecked(&in); len(got) == 0 || !strings.Contains(got[len(got)-1].String(), "Not checked: device, network and daemon (the data come from the daemon, not from its host: also give the activity files of the hosts (--hosts))") {
		t.Errorf("without hosts: %v", got)
	}
	if got := w.Beneath(&in); got != nil {
		t.Errorf("without hosts: %v", got)
	}
}

// TestSilentModule: the module of a manager that stops is no server that is down.
func TestSilentModule(t *testing.T) {
	system, _ := topology.Discover([]topology.Seen{
		{Kind: topology.Attachment, Server: "ceph", Device: topology.Device{Name: "osd.0"}, Service: true, Class: "hdd", Host: "s1", On: "sdb"},
		{Kind: topology.Attachment, Server: "s1", Device: topology.Device{Name: "sdb"}},
	}, topology.PeersAuto)
	osd, _ := system.Lookup("osd.0")
	o := engine.DefaultOptions()
	w := New(system, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(system.Components)}, &o)
	in := incident.Incident{
		Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: "ceph"},
		Members: []finding.Member{{Component: osd, Role: finding.Gone, Odd: true}}, Onset: finding.Onset{At: 6300, Early: 6300, Late: 6315}, Last: 6600,
		Phase: incident.Active,
	}
	if got, want := w.Headline(&in), "the prometheus module of the manager of Ceph cluster ceph has sent no data since 1970-01-01 01:45Z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := w.Because(&in); len(got) == 0 || got[0] != "limpet gets no data about 1 OSD from this module, although the servers send data" {
		t.Errorf("%q", got)
	}
	if got := w.Action(&in); !strings.Contains(got, "ceph mgr module ls") {
		t.Errorf("%q", got)
	}
	slow := in
	slow.Class, slow.Kind, slow.Place = finding.Slow, finding.SlowDrive, blame.Place{Tier: blame.Drive, Name: "osd.0"}
	if got := w.Title(&slow); !strings.HasPrefix(got, "OSD osd.0: slow OSD, since") {
		t.Errorf("%q", got)
	}
	slow.Place.Name = "s1/sdb"
	if got := w.Title(&slow); !strings.HasPrefix(got, "drive s1/sdb: slow drive, since") {
		t.Errorf("%q", got)
	}
}
