package evaluate

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// TestUnkindRuns: conditions are drawn for every run, on clusters that the paper
// had not, and the report has them one by one.
func TestUnkindRuns(t *testing.T) {
	o := fewRuns()
	o.MakeUnkind()
	o.Clusters, o.Workloads = o.Clusters[:1], []testbench.Workload{testbench.DDR}
	r, err := Testbench(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for _, e := range r.Experiments {
		drawn[e.Conditions] = true
		if e.Cluster != "gluster-2/6" || !strings.Contains(e.Conditions, "management sockets") {
			t.Errorf("%s under %q", e.Cluster, e.Conditions)
		}
	}
	if len(r.Experiments) != 4 || len(drawn) < 2 {
		t.Errorf("%d runs under %v", len(r.Experiments), drawn)
	}
	p, err := ReadPublished()
	if err != nil {
		t.Fatal(err)
	}
	if text := inText(t, r.Report(p)); !strings.Contains(text, "By condition, observable faults") || !strings.Contains(text, "management sockets") {
		t.Error("the report has no rates by condition")
	}
}

// TestSingleConditions: a run counts under each of its conditions.
func TestSingleConditions(t *testing.T) {
	e := testbench.New(testbench.UnkindClusters()[0], testbench.DDR, testbench.None, 1)
	e.Conditions = testbench.Conditions{BBR: true, Management: true, Volume: testbench.Hashed, HotShare: 0.123}
	got := single(&Experiment{Conditions: e.Conditions.String()})
	if want := "bbr|idle management sockets|hashed|a hot file"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
