package engine_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// dump prints everything that a value contains, behind pointers too, with exact numbers:
// two values that print alike are equal.
func dump(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(v))
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("none")
			return
		}
		write(b, v.Elem())
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":")
			write(b, v.Field(i))
			b.WriteString(" ")
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		b.WriteString("[")
		for i := range v.Len() {
			write(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Float64, reflect.Float32:
		fmt.Fprintf(b, "%g#%x", v.Float(), math.Float64bits(v.Float()))
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Map, reflect.Func, reflect.Chan:
		panic("a listener hears no " + v.Type().String())
	default:
		fmt.Fprint(b, v)
	}
}

func TestDump(t *testing.T) {
	type inner struct{ F float64 }
	type outer struct {
		P *inner
		L []inner
		S string
		n int
	}
	zero := 0.0
	one := outer{&inner{1}, []inner{{2}}, "a", 3}
	for name, change := range map[string]func(*outer){
		"behind a pointer": func(o *outer) { o.P = &inner{1 + 1e-16 + 2e-16} },
		"no pointer":       func(o *outer) { o.P = nil },
		"in a list":        func(o *outer) { o.L = []inner{{3}} },
		"a sign of zero":   func(o *outer) { o.L = []inner{{math.Copysign(zero, -1)}} },
		"a text":           func(o *outer) { o.S = "b" },
		"unexported":       func(o *outer) { o.n = 4 },
	} {
		other := outer{&inner{1}, []inner{{2}}, "a", 3}
		if dump(other) != dump(one) {
			t.Fatalf("alike, and printed as %s and %s", dump(one), dump(other))
		}
		if change(&other); dump(other) == dump(one) {
			t.Errorf("%s: a change is not printed: %s", name, dump(other))
		}
	}
}
