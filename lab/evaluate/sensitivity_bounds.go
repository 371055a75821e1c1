package evaluate

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
)

// Direction states whether a bound is halved or doubled.
type Direction string

// The directions in which a bound is varied.
const (
	toHalf   Direction = "halved"
	toDouble Direction = "doubled"
)

// BoundNames returns the names of all bounds outside the presets of the papers, as in
// docs/method.md, in the order of engine.Options.
func BoundNames() []string {
	var names []string
	o := engine.DefaultOptions()
	eachBound(&o, func(name string, _ reflect.Value) { names = append(names, name) })
	return names
}

// presetBounds are the settings of the papers and of the lists: whole sections, and single names.
var presetBounds = []string{"top", "detect", "checklist", "symptom.win_seconds", "symptom.shift_seconds", "symptom.k_windows"}

// eachBound calls visit with the name and the field of every bound outside the presets.
func eachBound(o *engine.Options, visit func(name string, field reflect.Value)) {
	walkBounds("", reflect.ValueOf(o).Elem(), visit)
}

func walkBounds(prefix string, v reflect.Value, visit func(name string, field reflect.Value)) {
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		name := prefix + tag
		switch field := v.Field(i); {
		case slices.Contains(presetBounds, name):
		case field.Kind() == reflect.Struct:
			walkBounds(name+".", field, visit)
		case field.CanInt() || field.CanFloat():
			visit(name, field)
		}
	}
}

// vary changes one bound of the options, and returns its value before and after. It returns an error
// if the options are then invalid.
func vary(o *engine.Options, bound string, d Direction) (before, after float64, err error) {
	found := false
	eachBound(o, func(name string, field reflect.Value) {
		if name != bound {
			return
		}
		found = true
		if field.CanInt() {
			before = float64(field.Int())
			after = max(math.Round(varied(name, before, d)), 1)
			field.SetInt(int64(after))
		} else {
			before = field.Float()
			after = varied(name, before, d)
			field.SetFloat(after)
		}
	})
	if !found {
		return 0, 0, fmt.Errorf("no threshold has the name %q: docs/method.md lists all thresholds", bound)
	}
	return before, after, o.Validate()
}

// varied returns half of a value, or twice the value. Two kinds of values are varied on another
// scale:
//
//   - A ratio (name ends in _times) on a logarithmic scale: half of "1.5 times slower" is "1.22
//     times slower".
//   - A share (name ends in _share) by its odds share / (1 - share), because twice 0.9 is no share.
func varied(name string, value float64, d Direction) float64 {
	factor := 2.0
	if d == toHalf {
		factor = 0.5
	}
	switch {
	case strings.HasSuffix(name, "_times"):
		return math.Pow(value, factor)
	case strings.HasSuffix(name, "_share"):
		odds := factor * value / (1 - value)
		return odds / (1 + odds)
	}
	return factor * value
}
