package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// Layout is what segments are about: components, peers together.
type Layout struct {
	Components []string
	Groups     []Group // in order; their members are those of Components

	once   sync.Once
	places map[string]int
	hashed sync.Once
	hash   string
}

// Group is a run of components that are peers.
type Group struct {
	Name    string `json:"name"`
	Members int    `json:"members"`
}

// Place is that of a component; -1 where it is not there.
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

// GroupAt is the group of the component at a place, and the places of its members.
func (l *Layout) GroupAt(place int) (name string, first, last int) {
	for _, g := range l.Groups {
		if first, last = last, last+g.Members; place < last {
			return g.Name, first, last
		}
	}
	return "", 0, 0
}

// GroupNames are those of the groups, by component.
func (l *Layout) GroupNames() []string {
	names := make([]string, 0, len(l.Components))
	for _, g := range l.Groups {
		for range g.Members {
			names = append(names, g.Name)
		}
	}
	return names
}

// Hash tells layouts apart. A layout does not change once it was asked for.
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

// check refuses a layout whose groups are not those of its components.
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
