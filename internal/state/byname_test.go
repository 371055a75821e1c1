package state

import (
	"fmt"
	"slices"
	"testing"
)

// thing has a name and remembers a number.
type thing struct {
	name   string
	number int
}

// things are so many, of which every tenth has the name of the one before.
func things(n int) []*thing {
	list := make([]*thing, n)
	for i := range list {
		list[i] = &thing{name: fmt.Sprint("thing ", i), number: i}
		if i%10 == 9 {
			list[i].name = list[i-1].name
		}
	}
	return list
}

// throughState saves things and reads them into others. It returns how often a name was
// asked for.
func throughState(t *testing.T, from, to []*thing) (asked int) {
	t.Helper()
	memory := func(list []*thing) func(*Codec) {
		return func(c *Codec) {
			name := func(x *thing) string { asked++; return x.name }
			ByName(c, list, name, func(x *thing) {
				if x == nil {
					x = &thing{}
				}
				Int(c, &x.number)
			})
		}
	}
	data, err := Encode(1, memory(from))
	if err != nil {
		t.Fatal(err)
	}
	if err := Decode(data, 1, memory(to)); err != nil {
		t.Fatal(err)
	}
	return asked
}

// TestByNameOnce: a hundred thousand groups are named once each to be saved and once to
// be read, and those of one name are told apart.
func TestByNameOnce(t *testing.T) {
	const n = 1000
	from, to := things(n), things(n)
	for _, x := range to {
		x.number = -1
	}
	if asked := throughState(t, from, to); asked > 2*n {
		t.Errorf("%d things were asked for their names %d times", n, asked)
	}
	for i := range to {
		if to[i].number != i {
			t.Fatalf("thing %d of name %s has the memory of thing %d", i, to[i].name, to[i].number)
		}
	}
}

// TestByNameChanged: what is no more is passed over, what is new stays as it is.
func TestByNameChanged(t *testing.T) {
	from := []*thing{{"a", 1}, {"b", 2}, {"c", 3}}
	to := []*thing{{"d", 9}, {"c", 0}, {"a", 0}}
	throughState(t, from, to)
	var got []int
	for _, x := range to {
		got = append(got, x.number)
	}
	if want := []int{9, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
