package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// Layout lists the components of a segment, with peers next to each other.
type Layout struct {
	Components []string
	Groups     []Group // groups in the order of Components; each component is in one group

	once   sync.Once
	places map[string]int
	hashed sync.Once
	hash   string
}

// Group is a peer group. Its components are next to each other in Layout.Components.
type Group struct {
	Name    string `json:"name"`
	Members int    `json:"members"`
}

// Place returns the index of a component in Components. It returns -1 if the layout does not have
// the component.
func (l *Layout) Place(component string) int {
	l.once.Do(func() {
		l.places = make(map[string]int, len(l.Components))
		for i, name := range l.Components {
			l.places[name] = i
		}
	})
	if place, ok := l.places[component]; ok {
		return place
	}
	return -1
}

// GroupAt returns the name of the group of the component with the index `place`. The members of the
// group have the indexes `first` to `last`-1.
func (l *Layout) GroupAt(place int) (name string, first, last int) {
	for _, g := range l.Groups {
		if first, last = last, last+g.Members; place < last {
			return g.Name, first, last
		}
	}
	return "", 0, 0
}

// GroupNames returns the name of the group of each component.
func (l *Layout) GroupNames() []string {
	names := make([]string, 0, len(l.Components))
	for _, g := range l.Groups {
		for range g.Members {
			names = append(names, g.Name)
		}
	}
	return names
}

// Hash returns a text that identifies the layout. A layout must not change after the first call of
// Hash.
func (l *Layout) Hash() string {
	l.hashed.Do(func() { l.hash = l.sum() })
	return l.hash
}

func (l *Layout) sum() string {
	h := sha256.New()
	for _, name := range l.Components {
		fmt.Fprintf(h, "%q\n", name)
	}
	for _, g := range l.Groups {
		fmt.Fprintf(h, "%q %d\n", g.Name, g.Members)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// check returns an error if the groups of a layout together do not have as many members as the
// layout has components.
func (l *Layout) check() error {
	n := 0
	for _, g := range l.Groups {
		if g.Members < 0 || g.Members > len(l.Components) {
			return errDamaged
		}
		n += g.Members
	}
	if n != len(l.Components) {
		return errDamaged
	}
	return nil
}
