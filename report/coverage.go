package report

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/detect"
)

// coverage is how much of a system could be judged, and why the rest could not.
type coverage struct {
	windows int
	end     int64
	judged  map[int]bool          // components
	reasons map[detect.Reason]int // why others were not
}

func newCoverage() coverage {
	return coverage{judged: map[int]bool{}, reasons: map[detect.Reason]int{}}
}

func (c *coverage) window(w *detect.Window) {
	c.windows++
	c.end = max(c.end, w.End)
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State == detect.Unjudged {
			c.reasons[v.Reason]++
		} else {
			c.judged[v.Component] = true
		}
	}
}

// nothing says what it means that there is no incident.
func (c *coverage) nothing(s *Subject) string {
	all := len(s.System.Components)
	switch {
	case c.windows == 0:
		o := s.Options.Detect
		half := time.Duration(int64(o.WinSize)*o.StepSeconds) * time.Second / 2
		return fmt.Sprintf("No window could be judged: a verdict needs more than %s of data of at least 3 peers.", half)
	case len(c.judged) == 0:
		return fmt.Sprintf("Nothing could be judged: %s.", c.commonReason())
	case 4*len(c.judged) < all:
		return fmt.Sprintf("Only %d of %d components could be judged, of which none limps. Most of the others: %s.", len(c.judged), all, c.commonReason())
	}
	return fmt.Sprintf("Nothing limps: of %d components judged (%d in all) none was odd enough among its peers for long enough.", len(c.judged), all)
}

// commonReason is why most were not judged.
func (c *coverage) commonReason() string {
	most := detect.NoReason
	for r := range c.reasons {
		if n := c.reasons[r]; n > c.reasons[most] || n == c.reasons[most] && r < most {
			most = r
		}
	}
	return most.String()
}
