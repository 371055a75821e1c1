package finding_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// on returns an onset with its bounds.
func on(at, early, late int64) finding.Onset {
	return finding.Onset{At: at, Early: early, Late: late}
}

// TestCommon: the common onset is where most of the onsets overlap.
func TestCommon(t *testing.T) {
	for name, tt := range map[string]struct {
		all  []finding.Onset
		want finding.Onset
	}{
		"one":                       {[]finding.Onset{on(15, 10, 20)}, on(15, 10, 20)},
		"two that overlap":          {[]finding.Onset{on(15, 10, 20), on(22, 18, 30)}, on(20, 18, 20)},
		"the other way round":       {[]finding.Onset{on(22, 18, 30), on(15, 10, 20)}, on(20, 18, 20)},
		"one within another":        {[]finding.Onset{on(50, 0, 100), on(42, 40, 45)}, on(42, 40, 45)},
		"two apart: the earlier":    {[]finding.Onset{on(55, 50, 60), on(15, 10, 20)}, on(15, 10, 20)},
		"two of three":              {[]finding.Onset{on(15, 10, 20), on(55, 50, 60), on(56, 52, 70)}, on(56, 52, 60)},
		"they touch":                {[]finding.Onset{on(15, 10, 20), on(25, 20, 30)}, on(20, 20, 20)},
		"from the begin":            {[]finding.Onset{finding.OnsetBefore(5), finding.OnsetBefore(5)}, finding.OnsetBefore(5)},
		"most were from the begin":  {[]finding.Onset{finding.OnsetBefore(5), on(15, 10, 20), finding.OnsetBefore(5)}, finding.OnsetBefore(5)},
		"most began later":          {[]finding.Onset{finding.OnsetBefore(5), on(15, 10, 20), on(16, 12, 18)}, on(16, 12, 18)},
		"an estimate out of bounds": {[]finding.Onset{on(30, 10, 40), on(12, 11, 13)}, on(12, 11, 13)},
	} {
		if got := finding.CommonOnset(tt.all); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestNotBefore: an onset does not lie before a time at which there was no problem.
func TestNotBefore(t *testing.T) {
	for name, tt := range map[string]struct{ o, want finding.Onset }{
		"later":                {on(50, 45, 60), on(50, 45, 60)},
		"possibly earlier":     {on(45, 35, 60), on(45, 40, 60)},
		"earlier":              {on(20, 15, 60), on(40, 40, 60)},
		"certainly earlier":    {on(20, 15, 25), on(40, 40, 40)},
		"from the begin":       {finding.OnsetBefore(5), on(40, 40, 40)},
		"the data began later": {finding.OnsetBefore(50), finding.OnsetBefore(50)},
		"a period":             {finding.OnsetBetween(10, 60), finding.OnsetBetween(40, 60)},
		"a period before":      {finding.OnsetBetween(10, 30), on(40, 40, 40)},
	} {
		if got := tt.o.NotBefore(40); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func at(tier blame.Tier, name string) blame.Place { return blame.Place{Tier: tier, Name: name} }

func members(role finding.Role, components ...int) []finding.Member {
	var list []finding.Member
	for _, c := range components {
		list = append(list, finding.Member{Component: c, Role: role})
	}
	return list
}

// TestJoin: findings of one class at one place become one. Others stay separate, in their
// order.
func TestJoin(t *testing.T) {
	fs1, fs2 := at(blame.Server, "fs1"), at(blame.Server, "fs2")
	got := finding.MergeFindings([]finding.Finding{
		{Class: finding.Path, Kind: finding.LostAttachment, Place: fs1, Members: members(finding.Gone, 1, 2), Onset: on(50, 50, 60), Amount: 2, Judged: 3},
		{Class: finding.Slow, Kind: finding.SharedSlowness, Place: fs1, Members: members(finding.IsSlow, 1), Amount: 7},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: fs2, Members: members(finding.Gone, 9)},
		{
			Class: finding.Path, Kind: finding.SilentServer, Place: fs1, Certain: true, Onset: on(40, 40, 55), Amount: 3, Judged: 2,
			Members: slices.Concat(members(finding.Unused, 2, 3), members(finding.TookOver, 2, 7)),
		},
		{Class: finding.Path, Kind: finding.LostAttachment, Place: fs1, Members: members(finding.TookOver, 7), Onset: on(70, 70, 80)},
	})
	if len(got) != 3 || got[0].Place != fs1 || got[1].Class != finding.Slow || got[2].Place != fs2 {
		t.Fatalf("joined to %+v", got)
	}
	f := got[0]
	var roles []string
	for _, m := range f.Members {
		roles = append(roles, fmt.Sprint(m.Component, " ", m.Role))
	}
	if want := []string{"1 gone", "2 gone", "3 unused", "2 took over", "7 took over"}; !slices.Equal(roles, want) {
		t.Errorf("members %q, want %q", roles, want)
	}
	if f.Kind != finding.SilentServer || !f.Certain || f.Onset != on(40, 40, 55) || f.Amount != 5 || f.Judged != 3 {
		t.Errorf("joined: %+v", f)
	}
	if got[1].Amount != 7 || len(got[2].Members) != 1 {
		t.Errorf("others changed: %+v", got[1:])
	}
}

func TestAddHeir(t *testing.T) {
	f := finding.Finding{Members: members(finding.Gone, 4)}
	for _, c := range []int{-1, 4, 5, 5, -1} {
		f.AddTakeover(c)
	}
	if len(f.Members) != 3 || f.Members[1].Component != 4 || f.Members[1].Role != finding.TookOver || f.Members[2].Component != 5 {
		t.Errorf("%+v", f.Members)
	}
}

func TestEvidence(t *testing.T) {
	for _, tt := range []struct {
		score, threshold, want float64
	}{{6, 2, 3}, {0, 2, 0}, {5, 0, 1e9}, {0, 0, 0}} {
		e := finding.Evidence{Score: tt.score, Threshold: tt.threshold}
		if got := e.Strength(); got != tt.want {
			t.Errorf("%g of %g: %g, want %g", tt.score, tt.threshold, got, tt.want)
		}
	}
	var e finding.Evidence
	for _, tt := range []struct {
		seen finding.Evidence
		kept bool
		want finding.Evidence
	}{
		{finding.Evidence{Metric: "await", Score: 3, Threshold: 1, From: 20, To: 30}, true, finding.Evidence{Metric: "await", Score: 3, Threshold: 1, From: 20, To: 30}},
		{finding.Evidence{Metric: "await", Score: 2, Threshold: 1, From: 10, To: 25}, false, finding.Evidence{Metric: "await", Score: 3, Threshold: 1, From: 10, To: 30}},
		{finding.Evidence{Metric: "await", Score: 8, Threshold: 2, From: 30, To: 40}, true, finding.Evidence{Metric: "await", Score: 8, Threshold: 2, From: 10, To: 40}},
		{finding.Evidence{Metric: "await", Score: 4, Threshold: 1, From: 40, To: 50}, false, finding.Evidence{Metric: "await", Score: 8, Threshold: 2, From: 10, To: 50}},
		{finding.Evidence{Metric: "await", Score: 12, Threshold: 3, From: 50, To: 60}, true, finding.Evidence{Metric: "await", Score: 12, Threshold: 3, From: 10, To: 60}},
	} {
		if kept := e.KeepStronger(tt.seen); kept != tt.kept || e != tt.want {
			t.Errorf("after %+v: %+v, kept %t; want %+v, %t", tt.seen, e, kept, tt.want, tt.kept)
		}
	}
}

// TestAtServer: the onset is that of the first deciding metric, a component has the
// numbers of its strongest metric, and deciding evidence comes first.
func TestAtServer(t *testing.T) {
	seen := func(metric string, c int, decides bool, score float64, from int64) finding.Evidence {
		return finding.Evidence{Metric: metric, Component: c, Decides: decides, Score: score, Threshold: 1, From: from}
	}
	f := finding.ServerFinding("fs1", finding.DiskBusy, []finding.Suspicion{
		{Evidence: seen("rxbyt", 8, false, 50, 1), Onset: on(1, 1, 1)},
		{Evidence: seen("await", 2, true, 3, 30), Onset: on(31, 30, 40), Windows: 4},
		{Evidence: seen("%util", 2, true, 5, 20), Onset: on(22, 20, 30), Anomalous: true, Windows: 6},
		{Evidence: seen("await", 3, true, 2, 60), Onset: on(61, 60, 70)},
	})
	if f.Place != at(blame.Server, "fs1") || f.Class != finding.Resource || !f.Certain || f.Onset != on(22, 20, 30) {
		t.Errorf("%+v", f)
	}
	var order []string
	for _, e := range f.Evidence {
		order = append(order, fmt.Sprint(e.Metric, " ", e.Component))
	}
	if want := []string{"await 2", "%util 2", "await 3", "rxbyt 8"}; !slices.Equal(order, want) {
		t.Errorf("evidence %q, want %q", order, want)
	}
	if len(f.Members) != 2 {
		t.Fatalf("members %+v", f.Members)
	}
	if m := f.Members[0]; m.Component != 2 || m.Worst != 5 || !m.Odd || m.Windows != 6 || m.Since != 20 || m.Role != finding.AtFault {
		t.Errorf("the drive is %+v", m)
	}
	list := []finding.Finding{{Place: at(blame.Server, "weak"), Members: []finding.Member{{Worst: 1}}}, f, {Place: at(blame.Server, "as weak"), Members: []finding.Member{{Worst: 1}}}}
	if finding.StrongestFirst(list); list[0].Place.Name != "fs1" || list[1].Place.Name != "weak" || list[2].Place.Name != "as weak" {
		t.Errorf("%+v", list)
	}
}

func TestOpenHas(t *testing.T) {
	o := finding.OpenIncident{Seen: map[int]int64{3: 0}}
	if !o.HasMember(3) || o.HasMember(4) {
		t.Errorf("%+v has 3: %t, has 4: %t", o, o.HasMember(3), o.HasMember(4))
	}
}

// TestKinds: the functions Kinds and Classes list each constant once.
func TestKinds(t *testing.T) {
	for name, listed := range map[string][]string{"Kind": texts(finding.Kinds()), "Class": texts(finding.Classes())} {
		declared := constants(t, name)
		for _, text := range declared {
			if !slices.Contains(listed, text) {
				t.Errorf("finding.go has %q of type %s, and the list of all does not have it: add it", text, name)
			}
		}
		if len(listed) > len(declared) {
			t.Errorf("the list of type %s has %d entries, and there are %d constants: list each constant once", name, len(listed), len(declared))
		}
	}
	for _, k := range finding.Kinds() {
		if want := k == finding.ServerIssued || k == finding.ArrayUpkeep || k == finding.SystemUpkeep || k == finding.ChangedWorkload; k.Harmless() != want {
			t.Errorf("%s is harmless: %t, and this test has %t", k, k.Harmless(), want)
		}
	}
}

func texts[T ~string](list []T) (out []string) {
	for _, one := range list {
		out = append(out, string(one))
	}
	return out
}

// constants returns the values of the constants of a type in finding.go.
func constants(t *testing.T, of string) (values []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "finding.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == of {
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, text)
			}
		}
		return false
	})
	return values
}
