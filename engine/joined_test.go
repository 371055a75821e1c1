package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// slowSlot is a slot of some servers whose drives become slow.
type slowSlot struct {
	disk     int
	from, to int // servers
	after    int64
}

// slotted is a fleet of 93 servers with 12 drives each, which are named after their slots. Two
// thirds of the drives are of one model, and two thirds of the servers have one kernel.
func slotted(t testing.TB) *topology.System {
	t.Helper()
	var list []topology.Listed
	for s := range 93 {
		kernel := map[bool]string{true: "5.4", false: "6.1"}[s < 60]
		for d := range 12 {
			server := fmt.Sprintf("h%d", s)
			c := topology.Component{Server: server, Device: fmt.Sprintf("disk%d", d), Model: map[bool]string{true: "M1", false: "M2"}[d < 8]}
			c.Name, c.Kernel = server+"/"+c.Device, kernel
			list = append(list, topology.Listed{Component: c, Peers: "all"})
		}
	}
	system, _, err := topology.List("fleet", list)
	if err != nil {
		t.Fatal(err)
	}
	return system
}

// placesTold lists the events of causes: what changed, the ID, and the places.
type placesTold struct {
	engine.NoListener
	lines []string
}

func (d *placesTold) Event(e *incident.Event) {
	in := e.Incident
	d.lines = append(d.lines, strings.TrimSpace(fmt.Sprint(e.Time, " ", e.Change, " ", in.ID, " ", sentence.Placed(in), " ", in.Ending, " ", in.Into)))
}

// runSlots makes slots slow two hours after the data begin, and returns the open incidents after a
// number of hours, and the events. If every is not 0, the engine is saved and restored after so many
// rows.
func runSlots(t testing.TB, slots []slowSlot, hours, every int) ([]incident.Incident, []string) {
	t.Helper()
	system, rng := slotted(t), rand.New(rand.NewPCG(3, 9))
	n := len(system.Components)
	schema := table.Schema{StepSeconds: 60, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: n, Sparse: true}
	o := engine.DefaultOptions()
	o.Questions = []engine.Question{engine.Components}
	o.Detect.StepSeconds = 60
	told := &placesTold{}
	e, err := engine.New(o, system, schema, nil, told)
	if err != nil {
		t.Fatal(err)
	}
	times := func(c int, at int64) float64 {
		for _, s := range slots {
			if c%12 == s.disk && c/12 >= s.from && c/12 < s.to && at > start+7200+s.after {
				return 2
			}
		}
		return 1
	}
	row := table.NewRow(schema)
	for i := range hours * 60 {
		row.End = start + int64(60*(i+1))
		for c := range n {
			row.Values[0][c], row.Values[1][c] = 100, 5*times(c, row.End)*math.Exp(0.3*rng.NormFloat64())
		}
		e.Push(row)
		if every > 0 && i%every == 0 {
			data, err := e.Save()
			if err != nil {
				t.Fatal(err)
			}
			if e, err = engine.Restore(data, o, system, schema, nil, told); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := slices.DeleteFunc(e.Summary(incident.Combined).Incidents, func(in incident.Incident) bool { return in.Phase != incident.Active })
	return list, told.lines
}

// TestJoinedCauses: two slots of the same servers that become slow together are one incident,
// whichever is first, with the ID of the first. Slots of other servers, and slots that become slow a
// day later, are two incidents.
func TestJoinedCauses(t *testing.T) {
	const minute, day = 60, 86_400
	ids := map[string]string{}
	for _, tt := range []struct {
		name  string
		slots []slowSlot
		hours int
		want  []string
	}{
		{"one slot", []slowSlot{{1, 0, 16, 0}}, 6, []string{"position disk1, 16 members"}},
		{"the other slot", []slowSlot{{2, 0, 16, 0}}, 6, []string{"position disk2, 16 members"}},
		{"within minutes", []slowSlot{{1, 0, 16, 0}, {2, 0, 16, 5 * minute}}, 6, []string{"positions disk1 and disk2, 32 members"}},
		{"the other first", []slowSlot{{1, 0, 16, 5 * minute}, {2, 0, 16, 0}}, 6, []string{"positions disk1 and disk2, 32 members"}},
		{"the second after the incident", []slowSlot{{1, 0, 16, 0}, {2, 0, 16, 40 * minute}}, 7, []string{"positions disk1 and disk2, 32 members"}},
		{"the first after the incident", []slowSlot{{1, 0, 16, 40 * minute}, {2, 0, 16, 0}}, 7, []string{"positions disk1 and disk2, 32 members"}},
		{"three", []slowSlot{{1, 0, 16, 0}, {2, 0, 16, minute}, {10, 0, 16, 0}}, 6, []string{"positions disk[1-2,10], 48 members"}},
		{"nearly the same servers", []slowSlot{{1, 0, 16, 0}, {2, 1, 17, 0}}, 6, []string{"positions disk1 and disk2, 32 members"}},
		{"other servers", []slowSlot{{1, 0, 16, 0}, {2, 60, 76, 0}}, 6, []string{"position disk1, 16 members", "position disk2, 16 members"}},
		{"half of the same servers", []slowSlot{{1, 0, 16, 0}, {2, 8, 24, 0}}, 6, []string{"position disk1, 16 members", "position disk2, 16 members"}},
		{"a day later", []slowSlot{{1, 0, 16, 0}, {2, 0, 16, day}}, 30, []string{"position disk1, 16 members", "position disk2, 16 members"}},
	} {
		switch {
		case !testing.Short():
		case tt.hours > 7:
			tt.slots[1].after, tt.hours = 3*3600, 7
		case tt.hours < 7:
			tt.hours = 4
		}
		list, events := runSlots(t, tt.slots, tt.hours, 0)
		var got []string
		for i := range list {
			got = append(got, fmt.Sprintf("%s, %d members", sentence.Placed(&list[i]), len(list[i].Members)))
			ids[tt.name] = list[i].ID
		}
		if slices.Sort(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q\n%s", tt.name, got, tt.want, strings.Join(events, "\n"))
		}
	}
	for name, as := range map[string]string{
		"within minutes": "one slot", "the other first": "one slot", "nearly the same servers": "one slot", "three": "one slot",
		"the second after the incident": "one slot", "the first after the incident": "the other slot",
	} {
		if ids[name] != ids[as] || ids[name] == "" {
			t.Errorf("%s has the ID %s, %s %s", name, ids[name], as, ids[as])
		}
	}
}

// TestJoinedCausesCut: a save and a restore between rows change no event, before and after the second
// slot joins.
func TestJoinedCausesCut(t *testing.T) {
	slots := []slowSlot{{1, 0, 16, 2400}, {2, 0, 16, 0}}
	_, want := runSlots(t, slots, 6, 0)
	list, got := runSlots(t, slots, 6, 7)
	if !slices.Equal(got, want) || len(want) < 2 {
		t.Errorf("cut:\n%s\nwhole:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(list) != 1 || list[0].Place != (blame.Place{Tier: blame.Position, Name: "disk2"}) || !slices.Equal(list[0].Joined, []blame.Place{{Tier: blame.Position, Name: "disk1"}}) {
		t.Errorf("%d incidents: %+v", len(list), namedPlaces(list))
	}
}
