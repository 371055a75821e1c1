package outcome

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/topology"
)

// Choice is what a user wants to be told. The zero value tells all.
type Choice struct {
	System *topology.System
	About  topology.Set
	Quiet  bool    // only what is wrong
	Since  *Memory // only what is new since then; nil tells all

	shown int
}

// IsAbout says whether an incident concerns what was asked for.
func (c *Choice) IsAbout(in *incident.Incident) bool { return Concerns(c.About, c.System, in) }

// Shows says whether an incident or a suspect is to be told. Who was told that
// something is wrong is told, too, that it is over.
func (c *Choice) Shows(in *incident.Incident) bool {
	shows := c.IsAbout(in)
	wrong := IsWrong(in)
	if shows && c.Since != nil {
		var matters bool
		shows, matters = c.Since.isNew(in)
		wrong = wrong || matters && !in.Harmless()
	}
	if shows = shows && (wrong || !c.Quiet); shows {
		c.shown++
	}
	return shows
}

// HasNothing says whether there is nothing to print at all. What could not be
// judged is told, but to who hears of changes only once.
func (c *Choice) HasNothing(o Outcome) bool {
	switch {
	case c.Since != nil:
		return c.shown == 0 && len(c.Since.Gone(o)) == 0 && (o != Unjudged || c.Since.unjudged)
	case c.Quiet:
		return o == Clean
	}
	return false
}

// Nothing is the verdict where there is nothing to show though the diagnosis found
// something, or where only some components were asked for. It is empty where the
// diagnosis speaks for itself.
func (c *Choice) Nothing(hidden int) string {
	elsewhere := ""
	if hidden > 0 {
		elsewhere = fmt.Sprintf(" Left out: %d incidents or suspects.", hidden)
	}
	switch {
	case c.Since != nil && hidden > 0:
		return "Nothing is new." + elsewhere
	case !c.About.IsAll() && hidden > 0:
		return fmt.Sprintf("Nothing is wrong with %s.%s", c.About.String(), elsewhere)
	}
	return ""
}

// Heading says which changes follow; it is empty where all is told.
func (c *Choice) Heading(zone *time.Location) string {
	if c.Since == nil || c.Since.to == 0 {
		return ""
	}
	return fmt.Sprintf("New since the run on data until %s:", at(c.Since.to, zone))
}

// Trim leaves out of a summary what nobody has to mend: who wants to hear only of
// what is wrong does not want to know what could not be asked, unless that is all.
func (c *Choice) Trim(s *engine.Summary, o Outcome) {
	if (c.Quiet || c.Since != nil) && o != Unjudged {
		s.Silent, s.Idle, s.Lacks, s.Unlike, s.Skews = nil, nil, nil, nil, nil
	}
}
