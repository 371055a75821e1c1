package state

import (
	"fmt"
	"runtime"
	"strings"
)

// Outline is the form of what a memory writes: its fields in their order, without
// their values. Two memories of one outline read each other's states, as far as
// fields of the same type mean the same.
//
// It does not depend on what is remembered. A list has one element, everything that
// may be there is there, and the length of an axis does not matter.
type Outline []Field

// Field is a field of an outline, or the begin or the end of what is there for each
// element of something.
type Field struct {
	Form string // int, float, float32, text; "list {", "each of axis 2 {", "}"
	By   string // the function that wrote it
}

// OutlineOf describes what a memory writes, and leaves nothing of it as it was.
func OutlineOf(memory func(*Codec)) Outline {
	c := &Codec{form: new(Outline)}
	memory(c)
	return *c.form
}

// outlines says whether the codec describes instead of writing or reading.
func (c *Codec) outlines() bool { return c.form != nil }

// note adds a field to the outline.
func (c *Codec) note(form string) { *c.form = append(*c.form, Field{form, writer()}) }

// within describes what is there for each element of something.
func (c *Codec) within(what string, element func()) {
	c.note(what + " {")
	element()
	c.note("}")
}

// newAxis is the next axis of the outline.
func (c *Codec) newAxis(n int) *Axis {
	a := straight(n)
	c.axes++
	a.number = c.axes
	return a
}

// maxCallers is more than there are functions of this package on the way to a memory.
const maxCallers = 16

// writer is the function outside of this package that wrote a field.
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

// Lines are the outline for people, what repeats being said once.
func (o Outline) Lines() []Field { return fold(o, "") }

// fold writes fields so deep.
func fold(o Outline, indent string) []Field {
	var lines []Field
	for at := 0; at < len(o); {
		period, times := o[at:].repeats()
		lines = append(lines, repeated(o[at:at+period], times, indent)...)
		at += period * times
	}
	return lines
}

// repeated is a block that stands so many times in a row.
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

// repeats finds the block at the begin of an outline that covers most of it by
// standing there again and again.
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

// closes is the number of fields of the first element of an outline, with all that
// is within it.
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

// same says whether the fields from one place on are those from another on.
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
