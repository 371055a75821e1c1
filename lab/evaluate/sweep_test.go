package evaluate

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// TestVariants: a variant differs from F10's settings in the one that it
// names, and has the value that it says; F10's own is among the values and is
// no variant.
func TestVariants(t *testing.T) {
	fields := map[string]string{
		"smooth": "Smooth", "k": "K", "cwnd-smooth": "CwndSmooth",
		"win-size": "WinSize", "win-shift": "WinShift", "factor": "TrainFactor",
	}
	f10, err := IndictingMethod("f10")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if !slices.IsSorted(s.Values) || !slices.Contains(s.Values, s.own()) {
			t.Errorf("%s: values %v, F10's is %g", s.Name, s.Values, s.own())
		}
		for _, value := range s.Values {
			v := s.variant(f10, value)
			if own := value == s.own(); own != reflect.DeepEqual(v, f10) {
				t.Errorf("%s is F10's method: %t", v.Name, !own)
			}
			want := map[string]float64{}
			if value != s.own() {
				want[fields[s.Name]] = value
			}
			if got := differences(v.Options.Detect, persistence.F10Options()); !maps.Equal(got, want) {
				t.Errorf("%s differs from F10's settings by %v, want %v", v.Name, got, want)
			}
			v.Options.Detect = f10.Options.Detect
			if !reflect.DeepEqual(v.Options, f10.Options) {
				t.Errorf("%s differs beyond detection", v.Name)
			}
		}
	}
	if f10.Options.Detect != persistence.F10Options() {
		t.Error("making variants changed F10's own settings")
	}
}

// differences are the fields of a that b has other values in; NaN of what is
// no number.
func differences(a, b persistence.Options) map[string]float64 {
	out := map[string]float64{}
	left, right := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range left.NumField() {
		if v := left.Field(i); !v.Equal(right.Field(i)) {
			number := math.NaN()
			switch {
			case v.CanInt():
				number = float64(v.Int())
			case v.CanFloat():
				number = v.Float()
			}
			out[left.Type().Field(i).Name] = number
		}
	}
	return out
}

// TestSweepIsEachAlone: a method comes to the same in a sweep as by itself,
// trained by itself, F10's own and one of every setting; and every setting
// makes a difference.
func TestSweepIsEachAlone(t *testing.T) {
	few := fewRuns()
	few.Methods = few.Methods[:1]
	few.Faults = append(few.Faults, testbench.ReceiveLoss)
	settings := Settings()
	if testing.Short() {
		for i := range settings {
			settings[i].Values = []float64{settings[i].Values[0], settings[i].own()}
		}
	}
	r, err := Sweep(t.Context(), SweepOptions{TestbenchOptions: few, Settings: settings}, nil)
	if err != nil {
		t.Fatal(err)
	}
	methods := slices.Clone(few.Methods)
	for i, s := range r.Options.Settings {
		if i%2 == 1 && testing.Short() {
			continue
		}
		methods = append(methods, s.variant(few.Methods[0], s.Values[0]))
	}
	for _, m := range methods {
		few.Methods = []Method{m}
		alone, err := Testbench(t.Context(), few, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Experiments[m.Name], alone.Experiments) {
			t.Errorf("%s alone comes to %+v, in a sweep to %+v", m.Name, alone.Experiments, r.Experiments[m.Name])
		}
		if m.Name != "f10" && evidenceOf(r.Experiments[m.Name]) == evidenceOf(r.Experiments["f10"]) {
			t.Errorf("%s finds what F10's own settings find, by the same scores and thresholds", m.Name)
		}
	}
}

func evidenceOf(experiments []Experiment) string {
	var all []string
	for _, e := range experiments {
		all = append(all, e.Evidence...)
	}
	return strings.Join(all, "; ")
}

func TestChooseSettings(t *testing.T) {
	tests := []struct {
		names string
		want  string
		err   string
	}{
		{"smooth", "smooth", ""},
		{"factor,k", "k factor", ""},
		{"smooth,span", "", `the setting "span" is unknown: use one of smooth, k, cwnd-smooth, win-size, win-shift, factor`},
		{"k,smooth,k", "", "setting k is given twice"},
		{"", "", `setting "" is unknown`},
	}
	for _, tt := range tests {
		o := DefaultSweep()
		err := o.Choose(strings.Split(tt.names, ","))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: error %v, want %q", tt.names, err, tt.err)
			}
			continue
		}
		var got []string
		for _, s := range o.Settings {
			got = append(got, s.Name)
		}
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %v, error %v, want %s", tt.names, got, err, tt.want)
		}
	}
}

func TestBadSweep(t *testing.T) {
	tests := map[string]func(*SweepOptions){
		"0 runs are too few":                 func(o *SweepOptions) { o.Runs = 0 },
		"a sweep is possible only for":       func(o *SweepOptions) { o.Methods[0].Name = "l13" },
		"no setting is chosen for the sweep": func(o *SweepOptions) { o.Settings = nil },
	}
	for _, want := range slices.Sorted(maps.Keys(tests)) {
		o := DefaultSweep()
		tests[want](&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := Sweep(t.Context(), o, nil); err == nil {
			t.Errorf("a sweep with %q was made", want)
		}
	}
}
