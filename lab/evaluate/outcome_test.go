package evaluate

import (
	"math"
	"testing"
)

func TestOutcome(t *testing.T) {
	hog3, hog5, busy3 := Blame{"ios3", "disk-hog"}, Blame{"ios5", "disk-hog"}, Blame{"ios3", "disk-busy"}
	tests := []struct {
		name             string
		faulty, indicted []Blame
		want             [numRates]bool // ITP, IFP, DTP, DFP
	}{
		{"control, silent", nil, nil, [numRates]bool{}},
		{"control, somebody indicted", nil, []Blame{hog3}, [numRates]bool{ifp: true, dfp: true}},
		{"missed", []Blame{hog3}, nil, [numRates]bool{}},
		{"found", []Blame{hog3}, []Blame{hog3}, [numRates]bool{itp: true, dtp: true}},
		{"right server, wrong cause", []Blame{hog3}, []Blame{busy3}, [numRates]bool{itp: true, dfp: true}},
		{"right server, no cause", []Blame{hog3}, []Blame{{"ios3", ""}}, [numRates]bool{itp: true}},
		{"wrong server", []Blame{hog3}, []Blame{hog5}, [numRates]bool{ifp: true, dfp: true}},
		{"wrong server, no cause", []Blame{hog3}, []Blame{{"ios5", ""}}, [numRates]bool{ifp: true, dfp: true}},
		{"found, and a healthy one", []Blame{hog3}, []Blame{hog3, hog5}, [numRates]bool{itp: true, ifp: true, dtp: true, dfp: true}},
		{"one of two", []Blame{hog3, hog5}, []Blame{hog5}, [numRates]bool{}},
		{"both of two", []Blame{hog3, hog5}, []Blame{hog3, hog5}, [numRates]bool{itp: true, dtp: true}},
		{"both of two, one for a wrong cause", []Blame{hog3, hog5}, []Blame{busy3, hog5}, [numRates]bool{itp: true, dfp: true}},
	}
	for _, tt := range tests {
		o := Outcome{tt.faulty, tt.indicted}
		for rate := range numRates {
			if got := o.Is(rate); got != tt.want[rate] {
				t.Errorf("%s: %s is %v", tt.name, rate, got)
			}
		}
	}
}

func TestRatesOf(t *testing.T) {
	hog := []Blame{{"ios1", "disk-hog"}}
	all := []Experiment{
		{Fault: "disk-hog", Outcome: Outcome{hog, hog}},
		{Fault: "disk-hog", Outcome: Outcome{hog, nil}},
		{Fault: "disk-hog", Outcome: Outcome{hog, append(hog, Blame{"ios2", "disk-hog"})}},
		{Fault: "disk-hog", Outcome: Outcome{hog, []Blame{{"ios1", "disk-busy"}}}},
		{Fault: None, Outcome: Outcome{nil, hog}},
	}
	got, n := ratesOf(all, func(e *Experiment) bool { return e.Fault == "disk-hog" })
	if want := (Rates{75, 25, 50, 50}); got != want || n != 4 {
		t.Errorf("rates %v of %d, want %v of 4", got, n, want)
	}
	got, n = ratesOf(all, func(*Experiment) bool { return false })
	if n != 0 || !math.IsNaN(got[itp]) {
		t.Errorf("rates of no experiments are %v of %d, want NaN of 0", got, n)
	}
}

func TestConfusion(t *testing.T) {
	tests := []struct {
		c                      Confusion
		precision, recall, mcc float64
	}{
		{Confusion{TP: 3, TN: 7}, 1, 1, 1},
		{Confusion{FP: 7, FN: 3}, 0, 0, -1},
		{Confusion{TP: 6, FP: 2, TN: 91, FN: 1}, 0.75, 6. / 7, (6*91. - 2*1) / math.Sqrt(8*7*93*92)},
		{Confusion{TP: 5, FP: 5, TN: 5, FN: 5}, 0.5, 0.5, 0},
		{Confusion{TN: 10}, math.NaN(), math.NaN(), math.NaN()},
		{Confusion{TN: 9, FN: 1}, math.NaN(), 0, math.NaN()},
	}
	for _, tt := range tests {
		for _, f := range []struct {
			name      string
			got, want float64
		}{{"precision", tt.c.Precision(), tt.precision}, {"recall", tt.c.Recall(), tt.recall}, {"MCC", tt.c.MCC(), tt.mcc}} {
			if math.Abs(f.got-f.want) > 1e-12 || math.IsNaN(f.got) != math.IsNaN(f.want) {
				t.Errorf("%+v: %s is %g, want %g", tt.c, f.name, f.got, f.want)
			}
		}
	}
}
