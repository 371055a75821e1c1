package limpet

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
)

// mostBounds is the largest number of bounds outside the presets of the papers. Nobody can know what
// a change of one bound does if there are many.
const mostBounds = 60

// TestBounds holds the defaults of the code against the tables of bounds in
// docs/method.md.
func TestBounds(t *testing.T) {
	want := map[string]string{}
	flatten(t, "", reflect.ValueOf(engine.DefaultOptions()), want)
	have, presets := boundsTable(t, "<!-- bounds -->"), boundsTable(t, "<!-- preset bounds -->")
	if len(have) > mostBounds {
		t.Errorf("docs/method.md has %d bounds: at most %d are wanted. Share a bound of engine/criteria, derive the bound from another, or learn it from the data", len(have), mostBounds)
	}
	for page, sentence := range map[string]string{
		"docs/decides.md": "The program has %d fixed thresholds",
		"docs/tuning.md":  "the %d thresholds of the program",
	} {
		if want := fmt.Sprintf(sentence, len(have)); !strings.Contains(words(t, page), want) {
			t.Errorf("%s does not have %q", page, want)
		}
	}
	for name, value := range presets {
		if _, twice := have[name]; twice {
			t.Errorf("docs/method.md has %s in both tables", name)
		}
		have[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch value, ok := have[name]; {
		case !ok:
			t.Errorf("%s (%s) has no line in the table of docs/method.md", name, want[name])
		case !sameValue(value, want[name]):
			t.Errorf("%s is %s in docs/method.md, and %s in the code", name, value, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; !ok {
			t.Errorf("docs/method.md has a line for %s, which is no bound", name)
		}
	}
}

// sameValue compares two values; a number may be written in any form.
func sameValue(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return a == b || errA == nil && errB == nil && x == y
}

// flatten lists the numbers, durations and switches of options by the names that
// they have in JSON. A duration is given in seconds.
func flatten(t *testing.T, name string, v reflect.Value, into map[string]string) {
	t.Helper()
	duration, isDuration := v.Interface().(time.Duration)
	switch {
	case isDuration:
		into[name] = strconv.FormatFloat(duration.Seconds(), 'g', -1, 64)
	case v.CanInt():
		into[name] = strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		into[name] = strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		into[name] = strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.Kind() == reflect.Bool:
		into[name] = strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if tag == "" && field.IsExported() {
				t.Errorf("%s: %s has no name in JSON", name, field.Name)
			}
			if tag != "" && tag != "-" {
				flatten(t, strings.TrimPrefix(name+"."+tag, "."), v.Field(i), into)
			}
		}
	}
}

// boundsTable reads the table below a mark: the value of each bound by its name.
func boundsTable(t *testing.T, mark string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("docs/method.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), mark+"\n")
	if !ok {
		t.Fatalf("docs/method.md has no table below %s", mark)
	}
	values := map[string]string{}
	for _, row := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(row, "|")
		if len(cells) < 7 {
			break
		}
		name, value := strings.Trim(cells[1], " `"), strings.TrimSpace(cells[2])
		if _, twice := values[name]; twice {
			t.Errorf("docs/method.md has two lines for %s", name)
		}
		if strings.TrimSpace(cells[4]) == "" || strings.TrimSpace(cells[5]) == "" {
			t.Errorf("docs/method.md does not say which detector has %s, or why", name)
		}
		values[name] = value
	}
	return values
}
