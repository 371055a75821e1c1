package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SweepOptions choose which experiments are made, and which settings of F10's algorithm are varied.
// The only method is f10.
type SweepOptions struct {
	TestbenchOptions
	Settings []Setting
}

// DefaultSweep returns options that vary every setting over all experiments, as F10 §11.2 does.
func DefaultSweep() SweepOptions {
	o := SweepOptions{TestbenchOptions: DefaultTestbench(), Settings: Settings()}
	o.Methods = o.Methods[:1]
	return o
}

// Choose keeps only the settings with these names, in their usual order.
func (o *SweepOptions) Choose(names []string) error {
	errs := []error{twice("setting", names)}
	for _, name := range names {
		_, err := findSetting(name)
		errs = append(errs, err)
	}
	o.Settings = slices.DeleteFunc(Settings(), func(s Setting) bool { return !slices.Contains(names, s.Name) })
	return errors.Join(errs...)
}

// Validate returns an error that names every invalid setting.
func (o *SweepOptions) Validate() error {
	errs := []error{o.TestbenchOptions.Validate()}
	if len(o.Methods) != 1 || o.Methods[0].Name != "f10" {
		errs = append(errs, errors.New("a sweep is possible only for method f10: leave out the other methods"))
	}
	if len(o.Settings) == 0 {
		errs = append(errs, fmt.Errorf("no setting is chosen for the sweep: choose one or more of %s", strings.Join(SettingNames(), ", ")))
	}
	return errors.Join(errs...)
}

// variants returns F10's method, and for each other value of a setting F10's method with this
// value.
func (o *SweepOptions) variants() []Method {
	all := slices.Clone(o.Methods)
	for i := range o.Settings {
		s := &o.Settings[i]
		for _, value := range s.Values {
			if value != s.own() {
				all = append(all, s.variant(o.Methods[0], value))
			}
		}
	}
	return all
}

// SweepResult has the outcome of every experiment with every variant.
type SweepResult struct {
	Options     SweepOptions
	Experiments map[string][]Experiment // by method, in the order of the tables
}

// Sweep makes the experiments once and diagnoses each of them by every variant. All variants are
// trained on the same runs.
func Sweep(ctx context.Context, o SweepOptions, tell Progress) (*SweepResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	bench := o.TestbenchOptions
	bench.Methods = o.variants()
	all, err := Testbench(ctx, bench, tell)
	if err != nil {
		return nil, err
	}
	r := &SweepResult{Options: o, Experiments: map[string][]Experiment{}}
	for _, e := range all.Experiments {
		r.Experiments[e.Method] = append(r.Experiments[e.Method], e)
	}
	return r, nil
}
