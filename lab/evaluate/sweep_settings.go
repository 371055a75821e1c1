package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/persistence"
)

// A Setting is a parameter of F10's algorithm, with the values to try.
type Setting struct {
	Name   string // "smooth"
	What   string // "span of the moving average"
	Unit   string
	Values []float64 // ascending, with the value of F10
	field
}

// Settings returns the settings that F10 §11.2 varies, in its order, with the values that it names
// and a few around them. Windows shorter than 32 s are not tried: only one setting is varied at a
// time, and with F10's shift of 32 s the windows would have gaps between them.
func Settings() []Setting {
	return []Setting{
		{
			Name: "smooth", What: "span of the moving average", Unit: "s", Values: []float64{1, 3, 5, 7, 9, 11},
			field: intField(func(o *persistence.Options) *int { return &o.Smooth }),
		},
		{
			Name: "k", What: "a server is a suspect if k of its last 2k−1 windows are anomalous", Values: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
			field: intField(func(o *persistence.Options) *int { return &o.K }),
		},
		{
			Name: "cwnd-smooth", What: "span of the moving average of cwnd", Unit: "s", Values: []float64{1, 5, 11, 21, 31, 41},
			field: intField(func(o *persistence.Options) *int { return &o.CwndSmooth }),
		},
		{
			Name: "win-size", What: "length of a window", Unit: "s", Values: []float64{32, 48, 64, 80, 96, 112, 128},
			field: intField(func(o *persistence.Options) *int { return &o.WinSize }),
		},
		{
			Name: "win-shift", What: "time from the start of a window to the start of the next window", Unit: "s", Values: []float64{8, 16, 24, 32, 40, 48, 56, 64},
			field: intField(func(o *persistence.Options) *int { return &o.WinShift }),
		},
		{
			Name: "factor", What: "number by which trained thresholds are multiplied", Values: []float64{1, 1.5, 2, 2.5, 3, 4},
			field: floatField(func(o *persistence.Options) *float64 { return &o.TrainFactor }),
		},
	}
}

// SettingNames returns the names of all settings.
func SettingNames() []string {
	var names []string
	for _, s := range Settings() {
		names = append(names, s.Name)
	}
	return names
}

// findSetting returns the setting with a name.
func findSetting(name string) (Setting, error) {
	all := Settings()
	i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, fmt.Errorf("the setting %q is unknown: use one of %s", name, strings.Join(SettingNames(), ", "))
	}
	return all[i], nil
}

// A field reads and writes a setting in the options of a detection.
type field struct {
	get func(*persistence.Options) float64
	set func(*persistence.Options, float64)
}

func intField(of func(*persistence.Options) *int) field {
	return field{
		get: func(o *persistence.Options) float64 { return float64(*of(o)) },
		set: func(o *persistence.Options, v float64) { *of(o) = int(v) },
	}
}

func floatField(of func(*persistence.Options) *float64) field {
	return field{
		get: func(o *persistence.Options) float64 { return *of(o) },
		set: func(o *persistence.Options, v float64) { *of(o) = v },
	}
}

// own returns the value of F10.
func (s *Setting) own() float64 {
	o := persistence.F10Options()
	return s.get(&o)
}

// variant returns F10's method with the setting at a value. At F10's value, it is F10's method
// itself.
func (s *Setting) variant(f10 Method, value float64) Method {
	if value != s.own() {
		f10.Name += " " + s.Name + "=" + number(value)
	}
	s.set(&f10.Options.Detect, value)
	return f10
}
