package evaluate

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/report/page"
)

// someSweep is a diagnosis that finds every disk fault, and on the second
// cluster indicts a healthy server in control runs at factors below 2.
func someSweep(t testing.TB) *SweepResult {
	t.Helper()
	o := DefaultSweep()
	o.Clusters, o.Runs = o.Clusters[:2], 2
	if err := o.Choose([]string{"smooth", "win-size", "factor"}); err != nil {
		t.Fatal(err)
	}
	r := &SweepResult{Options: o, Experiments: map[string][]Experiment{}}
	for _, m := range o.variants() {
		for _, p := range o.plans() {
			e := Experiment{Cluster: p.cluster.String(), Workload: string(p.workload), Fault: p.faultName(), Run: p.run, Method: m.Name}
			if p.fault != testbench.None {
				e.Faulty = []Blame{{Server: "ios1", Cause: e.Fault}}
			}
			if p.fault == testbench.DiskHog || p.fault == testbench.DiskBusy {
				e.Indicted = e.Faulty
			}
			if p.fault == testbench.None && p.cluster == o.Clusters[1] && m.Options.Detect.TrainFactor < 2 {
				e.Indicted = []Blame{{Server: "ios2", Cause: "disk-busy"}}
			}
			r.Experiments[m.Name] = append(r.Experiments[m.Name], e)
		}
	}
	return r
}

// TestSweepFigures: every value has its rates on every cluster and over all of
// them, and these average the clusters as the paper does.
func TestSweepFigures(t *testing.T) {
	r := someSweep(t)
	report := r.Report(published(t))
	values := 0
	for _, s := range r.Options.Settings {
		values += len(s.Values)
	}
	if want := values * (len(r.Options.Clusters) + 1) * int(numRates); len(report.Figures) != want {
		t.Errorf("%d figures, want %d", len(report.Figures), want)
	}
	tests := []struct {
		system, subject, condition, name string
		value, paper                     float64
		n                                int
	}{
		{"pvfs-10/10", "factor", "1", "IFP", 0, math.NaN(), 70},
		{"pvfs-6/12", "factor", "1", "IFP", 100. / 7, math.NaN(), 70},
		{everyone, "factor", "1", "IFP", 50. / 7, 19, 140},
		{everyone, "factor", "1.5", "DFP", 50. / 7, 8, 140},
		{everyone, "factor", "2", "IFP", 0, 2, 140},
		{everyone, "factor", "4", "DTP", 100. / 3, 48, 140},
		{everyone, "factor", "3", "DTP", 100. / 3, math.NaN(), 140},
		{everyone, "smooth", "1", "ITP", 100. / 3, 79, 140},
		{everyone, "smooth", "1", "DTP", 100. / 3, math.NaN(), 140},
		{everyone, "win-size", "128", "ITP", 100. / 3, math.NaN(), 140},
	}
	for _, tt := range tests {
		found := 0
		for _, f := range report.Figures {
			if f.Study != "sweep" || f.System != tt.system || f.Subject != tt.subject || f.Condition != tt.condition || f.Name != tt.name {
				continue
			}
			found++
			if math.Abs(f.Value-tt.value) > 1e-9 || f.N != tt.n || f.Paper != tt.paper && !(math.IsNaN(f.Paper) && math.IsNaN(tt.paper)) {
				t.Errorf("%+v, want %+v", f, tt)
			}
		}
		if found != 1 {
			t.Errorf("%d figures of %+v", found, tt)
		}
	}
}

// TestSweepPage: every setting has its section with a row for every value, of
// which F10's own is marked, and a plot with the paper's figures where there
// are any.
func TestSweepPage(t *testing.T) {
	r := someSweep(t)
	lines := map[string]int{"smooth": 4 + 4, "win-size": 4, "factor": 4 + 4}
	sections := r.Report(published(t)).Page.Sections[1:]
	for i, s := range r.Options.Settings {
		rows, marked := 0, ""
		for _, b := range sections[i].Blocks {
			switch b := b.(type) {
			case page.Table:
				rows = len(b.Rows)
				for _, row := range b.Rows {
					if strings.HasSuffix(row[0].Text, ownMark) {
						marked += row[0].Text
					}
				}
			case page.Chart:
				if len(b.Series) != lines[s.Name] || len(b.At) != len(s.Values) {
					t.Errorf("%s: plot of %d lines over %d values, want %d over %d", s.Name, len(b.Series), len(b.At), lines[s.Name], len(s.Values))
				}
			}
		}
		if rows != len(s.Values) || marked != number(s.own())+ownMark {
			t.Errorf("%s: %d rows, marked %q; want %d, %g", s.Name, rows, marked, len(s.Values), s.own())
		}
	}
}

// TestPartialSweep: whoever sweeps other experiments than the paper's is told.
func TestPartialSweep(t *testing.T) {
	tests := []struct {
		change func(*SweepOptions)
		want   string
	}{
		{func(*SweepOptions) {}, ""},
		{func(o *SweepOptions) { o.Runs = 1 }, ""},
		{func(o *SweepOptions) { o.Clusters[0], o.Clusters[3] = o.Clusters[3], o.Clusters[0] }, ""},
		{func(o *SweepOptions) { o.Clusters[0].Servers++ }, "other clusters than this sweep"},
		{func(o *SweepOptions) { o.Faults = o.Faults[1:]; o.Workloads = o.Workloads[:3] }, "other workloads, faults than this sweep"},
	}
	for _, tt := range tests {
		o := DefaultSweep()
		tt.change(&o)
		s := &sweepReport{r: &SweepResult{Options: o}}
		if got := s.partial(); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("warned %q, want %q", got, tt.want)
		}
	}
}

// TestPublishedSensitivity: every setting has something from the paper, at
// values that are tried; and at F10's own values its figures are those of
// Tables 2 to 5, averaged. Those of §11.2 are rounded, some to whole percents,
// and its IFP lies below the tables' 2.57.
func TestPublishedSensitivity(t *testing.T) {
	p := published(t)
	var tables []Rates
	for _, c := range p.Testbench {
		tables = append(tables, aggregateRates(c.Faults))
	}
	whole := meanRates(tables)
	if len(p.Sensitivity) != len(Settings()) {
		t.Errorf("%d settings are published, %d can be swept", len(p.Sensitivity), len(Settings()))
	}
	for _, s := range Settings() {
		paper := p.setting(s.Name)
		if paper.Note == "" || paper.Source == "" {
			t.Errorf("nothing is published of %s", s.Name)
		}
		tried := 0
		for _, value := range s.Values {
			if _, ok := paper.Rates[value]; ok {
				tried++
			}
		}
		if tried != len(paper.Rates) {
			t.Errorf("%s: of %d published values %d are tried", s.Name, len(paper.Rates), tried)
		}
		for rate, v := range paper.at(s.own()) {
			rounding := 0.2
			if v == math.Trunc(v) {
				rounding = 0.6
			}
			if math.Abs(v-whole[rate]) > rounding {
				t.Errorf("%s: %s of F10's own is %g, the mean of its tables %.2f", s.Name, Rate(rate), v, whole[rate])
			}
		}
	}
}

var numeral = regexp.MustCompile(`\d+(\.\d+)?`)

// TestPublishedIsInTheText: every figure of the settings, and every number in
// a note, stands in F10 §11.2.
func TestPublishedIsInTheText(t *testing.T) {
	path := checkout.Shared(t, "papers/fast10-black-box.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the text of F10 is absent: %v", err)
	}
	_, section, _ := strings.Cut(string(text), "11.2 Sensitivity")
	section, _, found := strings.Cut(section, "12 Experiences")
	if !found {
		t.Fatalf("%s has no section 11.2", path)
	}
	stands := map[string]bool{}
	for _, n := range numeral.FindAllString(section, -1) {
		stands[n] = true
	}
	for _, s := range published(t).Sensitivity {
		for value, rates := range s.Rates {
			for rate, v := range rates {
				if !math.IsNaN(v) && !strings.Contains(section, number(v)+"%") {
					t.Errorf("%s %g: %s %g%% is not in the text", s.Setting, value, Rate(rate), v)
				}
			}
		}
		for _, n := range numeral.FindAllString(s.Note, -1) {
			if !stands[n] {
				t.Errorf("%s: %s of the note is not in the text", s.Setting, n)
			}
		}
	}
}
