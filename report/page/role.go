package page

import "strconv"

// A Role is the meaning of a line, a span or a cell. The style sheet has a colour for each role in
// the light and in the dark scheme.
type Role int

// The roles.
const (
	Plain     Role = iota // no special meaning: lines get the colours of a palette in turn
	Suspect               // main subject of the page: the strongest colours
	Peer                  // comparison for a suspect: pale
	Threshold             // a limit: dashed

	// Events. Moments of different roles have different shapes, too.
	Spell        // time for which a problem lasted
	Onset        // time in which a problem began
	Suspicion    // a problem was suspected
	Confirmation // a problem was confirmed
	Clearing     // a problem was over
)

// roles has the names of the roles in the style sheet, and their number of colours; 0: the name has
// no number.
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

// class returns the CSS class of the nth item (from 0) with the role in a plot.
func (r Role) class(nth int) string {
	if roles[r].colors == 0 {
		return roles[r].name
	}
	return roles[r].name + "-" + strconv.Itoa(nth%roles[r].colors+1)
}
