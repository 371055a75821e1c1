package finding

import "github.com/limpet-storage/limpet/engine/blame"

// Open is an open incident as detectors see it. Open incidents change how a detector
// explains a window: a LUN that is known to be slow alone stays a problem of its own
// when its array becomes slow.
type Open struct {
	Class     Class
	Kind      Kind
	Place     blame.Place
	Active    bool // true: it still shows; false: it recovers
	Onset     Onset
	Confirmed int64         // Unix time at which it became an incident
	Seconds   int64         // time for which it has shown
	Judged    int           // number of components below its place that could be judged
	Seen      map[int]int64 // by component that it showed on: Unix time at which it last showed there; read-only
}

// Has reports whether the incident showed on a component.
func (o *Open) Has(c int) bool {
	_, ok := o.Seen[c]
	return ok
}
