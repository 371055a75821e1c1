package outcome

import (
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Choice selects the incidents that a user wants to see. The zero value selects all.
type Choice struct {
	System *topology.System
	About  topology.Set
	Quiet  bool    // only incidents that need attention
	Since  *Memory // memory of the last run: only changes since then are shown; nil: everything

	shown   int
	without []string // servers of the chosen components without any data that limpet can use
}

// IsAbout reports whether an incident is about the chosen components.
func (c *Choice) IsAbout(in *incident.Incident) bool { return IsAbout(c.About, c.System, in) }

// Shows reports whether an incident or a suspect is printed. The end of an incident is printed if
// the incident was printed.
func (c *Choice) Shows(in *incident.Incident) bool {
	shows := c.IsAbout(in)
	wrong := NeedsAttention(in)
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

// HasNothing reports whether there is nothing to print at all. If nothing could be judged, or if a
// server has no data that limpet can use, a run prints this; with a memory, only the first of several
// such runs does.
func (c *Choice) HasNothing(o Outcome) bool {
	switch {
	case c.Since != nil:
		return c.shown == 0 && len(c.Since.Gone(o)) == 0 && (o != Unjudged || c.Since.unjudged) && !c.lacksMore()
	case c.Quiet:
		return o == Clean
	}
	return false
}

// lacksMore reports whether a server has no data that limpet can use, and the last run did not print
// this.
func (c *Choice) lacksMore() bool {
	return slices.ContainsFunc(c.without, func(name string) bool { return c.Since == nil || !slices.Contains(c.Since.without, name) })
}

// Nothing returns the verdict if the choice leaves out all incidents of a diagnosis. Empty: the
// verdict of the diagnosis holds.
func (c *Choice) Nothing(hidden int) string {
	elsewhere := notShown(hidden)
	switch {
	case c.Since != nil && hidden > 0:
		return "There is nothing new since the last run." + elsewhere
	case !c.About.IsAll() && c.shown == 0 && c.System != nil && !isPart(c.About, c.System):
		return fmt.Sprintf("There is no incident whose ID is %s or begins with it, and no component with this name.%s", c.About.String(), elsewhere)
	case !c.About.IsAll() && hidden > 0:
		return fmt.Sprintf("Nothing is wrong with %s.%s", c.About.String(), elsewhere)
	}
	return ""
}

// Unchanged returns the sentence after a verdict about changes. The sentence has the number of incidents
// and suspects that have not changed since the last run. It is empty in three cases: there are none, the
// choice is not about changes, or it also leaves out incidents that need no attention (Quiet).
func (c *Choice) Unchanged(hidden int) string {
	if c.Since == nil || c.Quiet {
		return ""
	}
	return notShown(hidden)
}

// notShown returns the sentence that counts what a choice leaves out. It is empty for 0.
func notShown(hidden int) string {
	if hidden == 0 {
		return ""
	}
	return fmt.Sprintf(" %s %s not shown.", english.Verb(hidden, "1 other incident or suspect", fmt.Sprintf("%d other incidents or suspects", hidden)), english.Verb(hidden, "is", "are"))
}

// Heading returns the line above the changes since the last run. It is empty if everything is
// printed.
func (c *Choice) Heading(zone *time.Location) string {
	if c.Since == nil || c.Since.to == 0 {
		return ""
	}
	return fmt.Sprintf("New since the last run (the data of that run ended at %s):", at(c.Since.to, zone))
}

// Trim removes remarks about the data from a summary if only incidents are wanted. It keeps all of
// them if nothing could be judged. It keeps those about servers without any data that limpet can use,
// because the components of these servers were not judged.
func (c *Choice) Trim(s *engine.Summary, o Outcome) {
	c.without = nil
	if c.System != nil {
		c.without = withoutData(c.About, c.System, s)
	}
	if c.Since != nil {
		c.Since.nowWithout = c.without
	}
	if !c.Quiet && c.Since == nil || o == Unjudged {
		return
	}
	missing := c.without
	if !c.lacksMore() {
		missing = nil // the last run printed these servers
	}
	s.Silent = slices.DeleteFunc(slices.Clone(s.Silent), func(q engine.Silence) bool { return !slices.Contains(missing, q.Server) })
	s.Idle, s.Lacks, s.Unlike, s.Skews = nil, nil, nil, nil
}
