package evaluate

import (
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/topology"
)

// entry is a line of a list: value and component; it climbs since 0 unless it
// says otherwise.
type entry struct {
	value int
	name  string
	since int64
	fades bool
}

func listed(t *testing.T, s *topology.System, at int64, lines []entry) *engine.List {
	t.Helper()
	l := &engine.List{Hour: at}
	for _, e := range lines {
		c, ok := s.Lookup(e.name)
		if !ok {
			t.Fatalf("there is no %s", e.name)
		}
		l.Entries = append(l.Entries, persistence.Entry{Value: e.value, Component: c, Since: e.since, Fades: e.fades})
	}
	return l
}

// TestOperator reads hourly lists from two hours before an onset at 07:00; the
// event shows on 1.01.2 and 1.05.2.
func TestOperator(t *testing.T) {
	tests := []struct {
		name  string
		lists [][]entry // from 05:00 on
		want  Sighting
	}{
		{"nothing listed", [][]entry{{}, {}, {}}, Sighting{}},
		{"on top, above 100", [][]entry{{}, {}, {{value: 101, name: "1.01.2"}}}, Sighting{Observed: true, Hours: 1, Peak: 101}},
		{"on top, not above 100", [][]entry{{}, {}, {{value: 100, name: "1.01.2"}}}, Sighting{Peak: 100}},
		{"below something else that is not worth a look", [][]entry{{}, {}, {{value: 90, name: "1.07.4"}, {value: 80, name: "1.01.2"}}}, Sighting{Peak: 80}},
		{
			"below something that is worth a look and in vain",
			[][]entry{{}, {}, {{value: 150, name: "1.07.4"}, {value: 120, name: "1.01.2"}}},
			Sighting{Observed: true, Hours: 1, Looks: 1, Peak: 120},
		},
		{
			"what was left out stays out while it lasts",
			[][]entry{{{value: 150, name: "1.07.4"}}, {{value: 158, name: "1.07.4"}}, {{value: 166, name: "1.07.4"}, {value: 101, name: "1.01.2"}}},
			Sighting{Observed: true, Hours: 1, Looks: 1, Peak: 101},
		},
		{
			"an affected component that was looked at before the onset, odd without pause",
			[][]entry{{{value: 101, name: "1.01.2"}}, {}, {{value: 117, name: "1.01.2"}}},
			Sighting{Looks: 1, Peak: 117},
		},
		{
			"and the same, odd anew",
			[][]entry{{{value: 101, name: "1.01.2"}}, {}, {{value: 117, name: "1.01.2", since: 9}}},
			Sighting{Observed: true, Hours: 1, Looks: 1, Peak: 117},
		},
		{
			"company on its controller",
			[][]entry{{}, {}, {{value: 30, name: "1.01.2"}, {value: 30, name: "1.05.2"}, {value: 30, name: "1.00.1"}, {value: 20, name: "1.04.1"}}},
			Sighting{Observed: true, Hours: 1, Peak: 30},
		},
		{
			"too little company",
			[][]entry{{}, {}, {{value: 60, name: "1.01.2"}, {value: 60, name: "1.05.2"}, {value: 60, name: "1.00.1"}, {value: 60, name: "1.04.3"}}},
			Sighting{Peak: 60},
		},
		{
			"company that fades",
			[][]entry{{}, {}, {{value: 30, name: "1.01.2"}, {value: 30, name: "1.05.2"}, {value: 30, name: "1.00.1"}, {value: 20, name: "1.04.1", fades: true}}},
			Sighting{Peak: 30},
		},
		{
			"company that adds up to too little",
			[][]entry{{}, {}, {{value: 25, name: "1.01.2"}, {value: 25, name: "1.05.2"}, {value: 25, name: "1.00.1"}, {value: 25, name: "1.04.1"}}},
			Sighting{Peak: 25},
		},
		{
			"one LUN by several paths is no company",
			[][]entry{{}, {}, {{value: 60, name: "1.01.2"}, {value: 60, name: "1.01.1"}, {value: 60, name: "1.05.2"}, {value: 60, name: "1.05.1"}}},
			Sighting{Peak: 60},
		},
		{
			"a server's own workload stays on top",
			[][]entry{{}, {}, {{value: 150, name: "1.00.4"}, {value: 140, name: "1.01.2"}}},
			Sighting{Peak: 140},
		},
		{
			"and below",
			[][]entry{{}, {}, {{value: 150, name: "1.00.4"}, {value: 140, name: "1.01.2"}}, {{value: 160, name: "1.01.2"}, {value: 158, name: "1.00.4"}}},
			Sighting{Observed: true, Hours: 2, Peak: 160},
		},
		{
			"until it is over",
			[][]entry{{}, {}, {}, {}, {{value: 150, name: "1.00.4"}, {value: 140, name: "1.01.2"}}},
			Sighting{Observed: true, Hours: 3, Looks: 1, Peak: 140},
		},
	}
	for _, tt := range tests {
		s := small(t)
		at := func(name string) int { c, _ := s.Lookup(name); return c }
		w := &OperatorRun{
			Operator: defaultOperator(), system: s, onset: 7 * hour, aside: map[int]int64{},
			affected:        map[int]bool{at("1.01.2"): true, at("1.05.2"): true},
			serverWorkSpans: map[int][]span{at("1.00.4"): {{0, 9*hour - 1}}},
		}
		for i, lines := range tt.lists {
			w.List(listed(t, s, int64(5+i)*hour, lines))
		}
		if w.sight != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, w.sight, tt.want)
		}
	}
}

// TestOperatorWhoTellsServerWork leaves it out.
func TestOperatorWhoTellsServerWork(t *testing.T) {
	s := small(t)
	c, _ := s.Lookup("1.00.4")
	hit, _ := s.Lookup("1.01.2")
	w := &OperatorRun{Operator: defaultOperator(), system: s, aside: map[int]int64{}, affected: map[int]bool{hit: true}, serverWorkSpans: map[int][]span{c: {{0, 9 * hour}}}}
	list := listed(t, s, hour, []entry{{value: 150, name: "1.00.4"}, {value: 140, name: "1.01.2"}})
	if w.List(list); w.sight.Observed {
		t.Error("a server's own workload was left out by one who cannot tell it")
	}
	w.ServerWork = true
	if w.List(list); !w.sight.Observed || w.sight.Looks != 1 {
		t.Errorf("a server's own workload hid the event from one who can tell it: %+v", w.sight)
	}
}

// TestOperatorReadsNoFurther than the lines of the list.
func TestOperatorReadsNoFurther(t *testing.T) {
	s := small(t)
	o := defaultOperator()
	o.Lines, o.Persistent = 3, 50
	w := &OperatorRun{Operator: o, system: s, onset: 0, aside: map[int]int64{}}
	w.List(listed(t, s, 0, []entry{{value: 20, name: "1.01.2"}, {value: 20, name: "1.05.2"}, {value: 20, name: "1.00.1"}, {value: 20, name: "1.04.1"}}))
	if w.sight.Looks != 0 {
		t.Error("the operator saw the company of a fourth line in a list of three")
	}
	w.Lines = 4
	w.List(listed(t, s, 0, []entry{{value: 20, name: "1.01.2"}, {value: 20, name: "1.05.2"}, {value: 20, name: "1.00.1"}, {value: 20, name: "1.04.1"}}))
	if w.sight.Looks != 1 {
		t.Errorf("%d looks at company of four, want 1", w.sight.Looks)
	}
}
