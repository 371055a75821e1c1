package page

import "strconv"

// A Role says what a line, a span or a cell means; the style sheet gives it a
// colour in the light and in the dark scheme.
type Role int

// The roles.
const (
	Plain     Role = iota // one among equals: lines take turns in a palette
	Suspect               // what the page is about: the strongest colours
	Peer                  // what a suspect is compared with: recedes
	Threshold             // a limit: dashed

	// Spans and moments of what happened. Moments are told apart by their shapes, too.
	Spell        // it lasted
	Onset        // it began within
	Suspicion    // it was suspected
	Confirmation // it was certain
	Clearing     // it was over
)

// roles are the style sheet's names, with the number of colours each has there; 0 where
// the name has no number.
var roles = [...]struct {
	name   string
	colors int
}{
	Plain:     {"plain", 6},
	Suspect:   {"suspect", 4},
	Peer:      {"peer", 1},
	Threshold: {"threshold", 2},

	Spell:        {"spell", 0},
	Onset:        {"onset", 0},
	Suspicion:    {"suspicion", 0},
	Confirmation: {"confirmation", 0},
	Clearing:     {"clearing", 0},
}

func (r Role) known() bool { return r >= 0 && int(r) < len(roles) }

// class is the style of the nth (from 0) bearer of the role in a plot.
func (r Role) class(nth int) string {
	if roles[r].colors == 0 {
		return roles[r].name
	}
	return roles[r].name + "-" + strconv.Itoa(nth%roles[r].colors+1)
}
