package path

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// Two arrays of two controllers, four servers and four LUNs, and two servers
// with drives.
const site = `
servers: fs[1-8], h[1-2]
arrays:
  - names: ddn[1-2]
    servers: fs[1-8]
    servers_per_array: 4
    luns: 0-3
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-e]
drives:
  - servers: h[1-2]
    devices: sd[a-c]
    peers: server
`

// newSite returns a detector of a site without losses.
func newSite(t *testing.T) (*Detector, table.Schema) {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		t.Fatal(err)
	}
	m := blame.NewMap(s)
	schema := table.Schema{
		StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(s.Components), Servers: len(s.Servers),
	}
	f := window.New(criteria.DefaultOptions(), m, window.NewDataTimes(criteria.DefaultOptions(), m, schema), schema, 1, 450, 2)
	for _, c := range m.Attachments {
		f.Conditions[c] = window.Serving
		if m.IsStandby(c) {
			f.Conditions[c] = window.Resting
		}
	}
	return New(DefaultOptions(), criteria.DefaultOptions(), f, 3), schema
}

// loseAll makes paths lost for long, with a role and an onset.
func (d *Detector) loseAll(role finding.Role, since int64, names ...string) {
	for _, name := range names {
		for _, c := range d.facts.System.Match(name) {
			d.paths[c] = history{lost: true, lostForLong: true, windows: 4, role: role, servedBy: -1, onset: finding.Onset{At: since, Early: since, Late: since + 15}}
			d.facts.Conditions[c] = window.Gone
			if role == finding.Unused {
				d.facts.Conditions[c] = window.Resting
			}
		}
	}
}

// blamed prints findings as "server fs1 of 4".
func blamed(list []finding.Finding) string {
	var out []string
	for i := range list {
		f := &list[i]
		out = append(out, fmt.Sprintf("%s %s of %d", f.Place.Tier, f.Place.Name, len(f.Members)))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func TestBlame(t *testing.T) {
	known := func(name string, onset int64, active bool) finding.OpenIncident {
		return finding.OpenIncident{
			Class: finding.Path, Kind: finding.LostAttachment, Place: blame.Place{Tier: blame.Server, Name: name},
			Active: active, Onset: finding.Onset{At: onset},
		}
	}
	tests := []struct {
		name string
		lost func(*Detector)
		open []finding.OpenIncident
		want string
	}{
		{"nothing", func(*Detector) {}, nil, ""},
		{"one is gone", func(d *Detector) { d.loseAll(finding.Gone, 9000, "1.0.1") }, nil, "attachment 1.0.1 of 1"},
		{"a drive is gone", func(d *Detector) { d.loseAll(finding.Gone, 9000, "h1/sda") }, nil, "drive h1/sda of 1"},
		{"two drives of a server", func(d *Detector) { d.loseAll(finding.Gone, 9000, "h1/sda", "h1/sdb") }, nil, "server h1 of 2"},
		{"drives of two servers", func(d *Detector) { d.loseAll(finding.Gone, 9000, "h1/sda", "h2/sdb") }, nil, "drive h1/sda of 1, drive h2/sdb of 1"},
		{"all of a server", func(d *Detector) { d.loseAll(finding.Gone, 9000, "fs2") }, nil, "server fs2 of 4"},
		{"all paths to a LUN", func(d *Detector) { d.loseAll(finding.Gone, 9000, "1.2") }, nil, "LUN 1.2 of 4"},
		{"all of a controller", func(d *Detector) { d.loseAll(finding.Gone, 9000, "ddn1a") }, nil, "controller ddn1a of 8"},
		{"some of a controller's servers", func(d *Detector) { d.loseAll(finding.Gone, 9000, "1.0.1", "1.1.2") }, nil, "controller ddn1a of 2"},
		{"some of both controllers", func(d *Detector) { d.loseAll(finding.Gone, 9000, "1.0.1", "1.1.3") }, nil, "array ddn1 of 2"},
		{"all of an array", func(d *Detector) { d.loseAll(finding.Gone, 9000, "ddn1") }, nil, "array ddn1 of 16"},
		{"of two arrays", func(d *Detector) { d.loseAll(finding.Gone, 9000, "1.0.1", "2.0.5") }, nil, "attachment 1.0.1 of 1, attachment 2.0.5 of 1"},
		{"a controller whose other server is mute", func(d *Detector) {
			d.loseAll(finding.Gone, 9000, "fs1", "1.0.2", "1.1.2")
			for _, c := range d.facts.System.Match("fs2") {
				if !d.paths[c].lostForLong {
					d.facts.Conditions[c] = window.Mute
				}
			}
		}, nil, "controller ddn1a of 6"},
		{"a controller and a path of the other", func(d *Detector) { d.loseAll(finding.Gone, 9000, "ddn1a", "1.2.3") }, nil, "attachment 1.2.3 of 1, controller ddn1a of 8"},
		{"within an hour", func(d *Detector) {
			d.loseAll(finding.Gone, 9000, "1.0.1")
			d.loseAll(finding.Gone, 12600, "1.1.3")
		}, nil, "array ddn1 of 2"},
		{"more than an hour apart", func(d *Detector) {
			d.loseAll(finding.Gone, 9000, "1.0.1")
			d.loseAll(finding.Gone, 12601, "1.1.3")
		}, nil, "attachment 1.0.1 of 1, attachment 1.1.3 of 1"},
		{"one is unused", func(d *Detector) { d.loseAll(finding.Unused, 9000, "1.0.1") }, nil, "attachment 1.0.1 of 1"},
		{"unused by two servers", func(d *Detector) { d.loseAll(finding.Unused, 9000, "1.0.1", "1.1.2", "1.3.1") }, nil, "attachment 1.1.2 of 1, server fs1 of 2"},
		{"both servers of a controller pass a LUN by", func(d *Detector) { d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2") }, nil, "LUN 1.0 of 2"},
		{"they pass two LUNs by", func(d *Detector) { d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2") }, nil, "controller ddn1a of 4"},
		{"and more of theirs", func(d *Detector) {
			d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2", "1.3.1")
		}, nil, "controller ddn1a of 5"},
		{"and more, much later", func(d *Detector) {
			d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2")
			d.loseAll(finding.Unused, 19000, "1.3.1")
		}, nil, "attachment 1.3.1 of 1, controller ddn1a of 4"},
		{"one of them is known to serve nothing", func(d *Detector) {
			d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2")
		}, []finding.OpenIncident{known("fs2", 5000, true)}, "server fs1 of 2, server fs2 of 2"},
		{"it is known since the same hour", func(d *Detector) {
			d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2")
		}, []finding.OpenIncident{known("fs2", 5400, true)}, "controller ddn1a of 4"},
		{"it recovers", func(d *Detector) {
			d.loseAll(finding.Unused, 9000, "1.0.1", "1.0.2", "1.1.1", "1.1.2")
		}, []finding.OpenIncident{known("fs2", 5000, false)}, "controller ddn1a of 4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, _ := newSite(t)
			test.lost(d)
			if got := blamed(d.Findings(test.open)); got != test.want {
				t.Errorf("blamed: %s, want %s", got, test.want)
			}
		})
	}
}

// TestStandIn: a standby path that was passed by since the first one was lost has the
// onset of the first; a path whose device was seen to disappear has its own.
func TestStandIn(t *testing.T) {
	for name, tt := range map[string]struct {
		role finding.Role
		seen int64
		want int64
	}{
		"passed by":   {finding.Unused, 50_000, 9000},
		"never there": {finding.Gone, 0, 9000},
		"seen to go":  {finding.Gone, 50_000, 50_000},
	} {
		d, _ := newSite(t)
		at := func(name string) int { return d.facts.System.Match(name)[0] }
		d.loseAll(finding.Unused, 9000, "1.0.1")
		d.loseAll(tt.role, 50_000, "1.0.2")
		second := at("1.0.2")
		d.facts.LastSeen[second] = tt.seen
		d.noteStandIn(second, d.facts.LUNOf[second], at("1.0.1"), at("1.0.3"))
		if got := d.paths[second]; got.onset.At != tt.want || got.servedBy != at("1.0.3") {
			t.Errorf("%s: lost at %d, want %d; %d serves instead", name, got.onset.At, tt.want, got.servedBy)
		}
	}
}

// TestSilentIsNotLost: the paths of a server that is down make no finding of their own.
func TestSilentIsNotLost(t *testing.T) {
	d, schema := newSite(t)
	d.loseAll(finding.Gone, 9000, "fs1", "fs5")
	row := table.NewRow(schema)
	for n := range 30 {
		row.End += 15
		for s, name := range d.facts.System.Servers {
			row.Heard[s] = n == 0 || name != "fs1"
		}
		d.facts.DataTimes.Row(row)
	}
	if got := blamed(d.Findings(nil)); got != "server fs5 of 4" {
		t.Errorf("blamed: %s", got)
	}
}

// TestFinding: a finding counts the components on its place, names the path that took
// over, and begins when most of its paths were lost.
func TestFinding(t *testing.T) {
	d, _ := newSite(t)
	d.loseAll(finding.Gone, 9000, "fs1")
	serving := d.facts.System.Match("1.0.2")[0]
	d.paths[d.facts.System.Match("1.0.1")[0]].servedBy = serving
	d.paths[d.facts.System.Match("1.1.1")[0]].onset = finding.Onset{At: 8000, Early: 8000, Late: 8015}
	list := d.Findings(nil)
	if len(list) != 1 {
		t.Fatal(blamed(list))
	}
	f := list[0]
	if f.Judged != 4 || f.Onset.At != 9000 || f.Certain || f.Class != finding.Path || f.Kind != finding.LostAttachment {
		t.Errorf("%+v", f)
	}
	// 16 windows of 450 s are two hours, and a path is an incident after 65 minutes.
	if want := 7200.0 / 3900; !f.Sure || f.Amount < want-0.001 || f.Amount > want+0.001 {
		t.Errorf("it amounts to %g, want %g", f.Amount, want)
	}
	if last := f.Members[len(f.Members)-1]; len(f.Members) != 5 || !slices.ContainsFunc(f.Members, func(m finding.Member) bool { return m.Component == serving && m.Role == finding.TookOver }) {
		t.Errorf("%d members, the last is %+v", len(f.Members), last)
	}
}

func TestOptions(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	for i, bad := range []func(*Options){
		func(o *Options) { o.LostTimes = 1 },
	} {
		o := DefaultOptions()
		if bad(&o); o.Validate() == nil {
			t.Errorf("setting %d is taken: %+v", i, o)
		}
	}
}
