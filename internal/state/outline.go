package state

import (
	"fmt"
	"runtime"
	"strings"
)

// Outline is the form of a state: the fields in their order, without values. Two memories with the
// same outline can read each other's states, if fields of the same type have the same meaning.
//
// The outline does not depend on the values. A list has one element, optional parts are included,
// and the length of an axis does not matter.
type Outline []Field

// Field is a field of an outline, or the first or last line of a block that is written for each
// element of a list or an axis.
type Field struct {
	Form string // int, float, float32, text; "list {", "each of axis 2 {", "}"
	By   string // function that wrote the field
}

// OutlineOf returns the outline of the state that the function memory writes. It overwrites the
// values of the memory.
func OutlineOf(memory func(*Codec)) Outline {
	c := &Codec{form: new(Outline)}
	memory(c)
	return *c.form
}

// outlines reports whether the codec describes a form, and neither writes nor reads.
func (c *Codec) outlines() bool { return c.form != nil }

// note adds a field to the outline.
func (c *Codec) note(form string) { *c.form = append(*c.form, Field{form, writer()}) }

// within describes a block that is written for each element.
func (c *Codec) within(what string, element func()) {
	c.note(what + " {")
	element()
	c.note("}")
}

// newAxis returns the next axis of the outline.
func (c *Codec) newAxis(n int) *Axis {
	a := unchangedAxis(n)
	c.axes++
	a.number = c.axes
	return a
}

// maxCallers is more than the number of nested calls in this package.
const maxCallers = 16

// writer returns the function outside of this package that wrote a field.
func writer() string {
	pcs := make([]uintptr, maxCallers)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		_, name, _ := strings.Cut(frame.Function, "/limpet/")
		if !strings.HasPrefix(name, "internal/state.") || !more {
			return name
		}
	}
}

// Lines returns the outline for people. It shows a repeated block once.
func (o Outline) Lines() []Field { return fold(o, "") }

// fold returns the lines of an outline with an indentation.
func fold(o Outline, indent string) []Field {
	var lines []Field
	for at := 0; at < len(o); {
		period, times := o[at:].repeats()
		lines = append(lines, repeated(o[at:at+period], times, indent)...)
		at += period * times
	}
	return lines
}

// repeated returns the lines of a block that is repeated times times.
func repeated(block Outline, times int, indent string) []Field {
	head, suffix := block[0], ""
	if times > 1 {
		suffix = fmt.Sprintf(" × %d", times)
	}
	switch {
	case len(block) == 1:
		return []Field{{indent + head.Form + suffix, head.By}}
	case block.closes() == len(block):
		lines := []Field{{indent + head.Form, head.By}}
		lines = append(lines, fold(block[1:len(block)-1], indent+"  ")...)
		return append(lines, Field{indent + "}" + suffix, head.By})
	}
	lines := []Field{{indent + "(", head.By}}
	lines = append(lines, fold(block, indent+"  ")...)
	return append(lines, Field{indent + ")" + suffix, head.By})
}

// repeats returns the length and the number of repetitions of a block at the beginning of an
// outline. It chooses the block whose repetitions cover most fields.
func (o Outline) repeats() (period, times int) {
	period, times = o.closes(), 1
	for p := period; p <= len(o)/2; p += o[p:].closes() {
		n := 1
		for o.same(0, n*p, p) {
			n++
		}
		if n > 1 && n*p > period*times {
			period, times = p, n
		}
	}
	return period, times
}

// closes returns the number of fields of the first element of an outline, with all fields inside
// it.
func (o Outline) closes() int {
	depth := 0
	for i := range o {
		switch {
		case strings.HasSuffix(o[i].Form, "{"):
			depth++
		case o[i].Form == "}":
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(o)
}

// same reports whether the n fields from a on are equal to the n fields from b on.
func (o Outline) same(a, b, n int) bool {
	if b+n > len(o) {
		return false
	}
	for i := range n {
		if o[a+i].Form != o[b+i].Form {
			return false
		}
	}
	return true
}
