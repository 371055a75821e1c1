package state

import (
	"strings"
	"testing"
)

// everything is a memory that has everything that a state can have.
type everything struct {
	n       int
	share   float64
	name    string
	present bool
	list    []float64
	by      map[string]int
	at      int
	row     []float64
	row32   []float32
}

func (m *everything) state(c *Codec) {
	a := c.Axis(named("a b c"))
	c.Expect("steps", 3)
	Int(c, &m.n)
	c.Float(&m.share)
	Text(c, &m.name)
	if c.Bool(&m.present); m.present {
		List(c, &m.list, (*Codec).Float)
	}
	Map(c, &m.by, Text[string], Int[int])
	a.Index(c, &m.at)
	c.Floats(a, m.row)
	By(c, c.Sub(a, []int{1}), make([]int8, 1), Int[int8])
	c.Floats32(a, m.row32)
	ByName(c, []*everything{m}, func(m *everything) string { return m.name }, func(*everything) { Uint(c, new(uint8)) })
}

const outlined = `list {
  text × 2
}
int × 2
float
text
int
list {
  float
}
list {
  text
  int
}
int
each of axis 1 {
  float
}
list {
  int
}
each of axis 2 {
  int
}
each of axis 1 {
  float32
}
list {
  text
  int
}
`

func text(o Outline) string {
	var b strings.Builder
	for _, line := range o.Lines() {
		b.WriteString(line.Form + "\n")
	}
	return b.String()
}

// TestOutline: the form is the same whatever is remembered.
func TestOutline(t *testing.T) {
	full := everything{
		n: 7, share: 0.5, name: "sda", present: true, list: []float64{1, 2, 3}, by: map[string]int{"a": 1, "b": 2},
		row: make([]float64, 3), row32: make([]float32, 3),
	}
	for _, m := range []*everything{{}, &full} {
		if got := text(OutlineOf(m.state)); got != outlined {
			t.Errorf("got\n%s\nwant\n%s", got, outlined)
		}
	}
}

// TestOutlineFolds: what repeats is said once, with how often, and no two outlines
// look the same.
func TestOutlineFolds(t *testing.T) {
	for forms, want := range map[string]string{
		"":                                  "",
		"int":                               "int",
		"int int int":                       "int × 3",
		"int float int float":               "( int float ) × 2",
		"int float int float int":           "( int float ) × 2 int",
		"list{ int } list{ int }":           "list{ int } × 2",
		"list{ int } list{ int int }":       "list{ int } list{ int × 2 }",
		"text list{ int } text list{ int }": "( text list{ int } ) × 2",
	} {
		var o Outline
		for _, form := range strings.Fields(forms) {
			o = append(o, Field{Form: form})
		}
		if got := strings.Join(strings.Fields(text(o)), " "); got != want {
			t.Errorf("%s: %s, want %s", forms, got, want)
		}
	}
}
