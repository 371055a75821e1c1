package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestOptionsAreAllValidated: Validate covers the options of every stage.
func TestOptionsAreAllValidated(t *testing.T) {
	stages := 0
	for i := range reflect.TypeFor[Options]().NumField() {
		o := DefaultOptions()
		field := reflect.ValueOf(&o).Elem().Field(i)
		if field.Kind() != reflect.Struct {
			continue
		}
		stages++
		name := reflect.TypeFor[Options]().Field(i).Name
		if field.IsZero() {
			t.Errorf("%s has no defaults", name)
		}
		spoil(field)
		if o.Validate() == nil {
			t.Errorf("%s: bounds below zero are valid", name)
		}
	}
	if stages < 10 {
		t.Errorf("%d stages have options", stages)
	}
}

// spoil makes every number negative.
func spoil(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			f.SetFloat(-1)
		case reflect.Int, reflect.Int64:
			f.SetInt(-1)
		case reflect.Struct:
			spoil(f)
		}
	}
}

// TestEveryClassHasAJudge: for every class with Judged, the engine has a detector that
// reports which components it could judge, and that can forget a component.
func TestEveryClassHasAJudge(t *testing.T) {
	s := &topology.System{Servers: []string{"h1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all", Members: []int{0}}}}
	s.Components = []topology.Component{{Name: "h1/sda", Server: "h1", Group: 1}}
	o := DefaultOptions()
	o.Questions = []Question{Components}
	e, err := New(o, s, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}, Components: 1, Load: -1, Sparse: true}, nil, NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(e.questions, func(q question) bool { _, ok := q.(*components); return ok })
	q := e.questions[at].(*components)
	for _, class := range finding.Classes() {
		if class.Judged() && !slices.Contains(limitClasses, class) && !class.IsAboutServer() && q.judges[class].judged == nil {
			t.Errorf("nobody is asked what could be judged of class %s", class)
		}
	}
}
