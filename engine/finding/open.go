package finding

import "github.com/limpet-storage/limpet/engine/blame"

// Open is a problem that is known and not over, as detectors see it. What is
// known changes what a window means: a LUN that is slow on its own stays so,
// whatever befalls its array.
type Open struct {
	Class     Class
	Kind      Kind
	Place     blame.Place
	Active    bool // confirmed, and it shows; otherwise it recovers
	Onset     Onset
	Confirmed int64         // Unix time
	Seconds   int64         // for which it has shown
	Judged    int           // components that hang on it and were judged
	Seen      map[int]int64 // components that it showed on, by when they did last; not to be changed
}

// Has says whether a problem showed on a component.
func (o *Open) Has(c int) bool {
	_, ok := o.Seen[c]
	return ok
}
