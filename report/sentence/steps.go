package sentence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// Step is a step for an operator: a sentence, a command to read, and whether redundancy allows the
// step. Package advice decides which steps there are. limpet runs no command.
type Step struct{ Text, Command, Guard string }

// String prints a step. A guard that allows the command stands first, so that the command follows the
// sentence about it.
func (s *Step) String() string {
	parts := []string{s.Text, s.Guard}
	if s.Command != "" {
		parts = []string{s.Guard, s.Text, s.Command}
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// stepOf returns the sentences of a step of advice for a problem. The step is about
// component c. [Writer.Action] has the first check, which depends on the kind of incident.
func stepOf(c *topology.Component, s *advice.Step, p *advice.Problem) Step {
	said := Step{Command: s.Command}
	switch s.Purpose {
	case advice.Find:
		said.Text = findsDevice(c)
	case advice.CheckLoad:
		said.Text = fmt.Sprintf("Compare the load of %s with the load of the other OSDs. If %[1]s has more load, it may be slow because of this load:", c.Volume)
	case advice.Locate:
		said.Text = located(c, len(p.Members) > 1)
	case advice.Wait:
		said.Text = waiting(s.Outlook, p.Seconds)
	case advice.Relieve:
		said.Text = relieved(c)
	case advice.TakeOut:
		said.Text, said.Guard = stays(&s.Guard), guarded(&s.Guard)
		if s.Guard.Allowed {
			said.Text = cmp.Or(takesOut[c.Storage], "This component can be removed.")
		}
	}
	return said
}

// findsDevice is the sentence about the command that finds the device of a drive or of an OSD.
func findsDevice(c *topology.Component) string {
	if server, _ := c.RunsOn(); server != "" {
		return fmt.Sprintf("Find the device of %s first. To list the devices of %s, run this command (the data name the drive, but no device of the server):", c.Name, server)
	}
	return fmt.Sprintf("Find the host and the device of %s first (the data name neither):", c.Volume)
}

// stays is the beginning of the sentence about a part that may not be taken out. If limpet does not
// know whether the data of the part have another copy, the reader has to find out.
func stays(g *advice.Guard) string {
	switch g.Reason {
	case advice.NoKind, advice.NotSaid, advice.NotKnown:
		return "Do not remove this component until you know that its data have another copy:"
	}
	return "Do not remove this component:"
}

// located names the place of a part.
func located(c *topology.Component, several bool) string {
	facts := []string{}
	add := func(format, value string) {
		if value != "" {
			facts = append(facts, fmt.Sprintf(format, value))
		}
	}
	server, device := c.RunsOn()
	add("server %s", server)
	if c.Service {
		add("device %s", device)
	}
	add("slot %s", c.Slot)
	add("enclosure %s", c.Enclosure)
	add("drawer %s", c.Drawer)
	add("controller %s", c.Controller)
	add("array %s", c.Array)
	add("pool %s", c.Pool)
	if c.Volume != c.Name {
		add("%s", c.Volume)
	}
	add("model %s", c.Model)
	add("serial number %s", c.Serial)
	add("WWN %s", c.WWN)
	what := "The component is "
	if several {
		what = "The worst component is "
	}
	if what += cmp.Or(c.LUN, c.Name); len(facts) == 0 {
		return what + "; the topology file does not name its place."
	}
	return what + ": " + strings.Join(facts, ", ") + "."
}

// lossesOf prints the number of parts that a redundant group can lose.
func lossesOf(n int) string {
	if n == 1 {
		return "the loss of 1 part"
	}
	return fmt.Sprintf("the loss of %d parts", n)
}

// guarded states why a part may or may not be taken out.
func guarded(g *advice.Guard) string {
	losses, are := lossesOf(g.Spares), english.Verb(g.Lost, "is", "are")
	switch g.Reason {
	case advice.Tolerated:
		return fmt.Sprintf("%s (%s) tolerates %s. %d of its other parts %s already slow or removed.", g.Group, g.Name, losses, g.Lost, are)
	case advice.Exhausted:
		return fmt.Sprintf("%s (%s) tolerates %s, and %d of its other parts %s already slow or removed.", g.Group, g.Name, losses, g.Lost, are)
	case advice.NoneLeft:
		return fmt.Sprintf("%s has no redundancy; copy its data first.", g.Group)
	case advice.Beneath:
		return fmt.Sprintf("the component consists of several drives (redundancy: %s), and no copy of the whole component exists. To remove a single drive, use the controller of the component.", g.Name)
	case advice.NotSaid:
		return fmt.Sprintf("the redundancy of %s is unknown. Add the setting \"redundancy\" to the topology file; limpet then states whether a part may be removed.", g.Group)
	case advice.NoKind:
		return "limpet does not know which data the component holds. Add the settings \"kind\" and \"redundancy\" to the topology file; limpet then states whether the component may be removed."
	}
	return "limpet does not know which other parts are slow or removed."
}

// longRunSeconds is the longest duration for which T16 has the share of slow periods (T16, Finding
// 4).
const longRunSeconds = 8 * 3600

// waiting states how likely a slow drive recovers by itself, and how much the replacement of other
// drives improved.
func waiting(o *advice.Prognosis, seconds int64) string {
	share := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	var text string
	switch {
	case seconds >= longRunSeconds && o.OverEight >= 0:
		text = fmt.Sprintf("Do not expect that the drive recovers by itself: the drive has been slow for more than 8 hours, and %s of the slow periods of %s lasted less than 8 hours.", share(o.OverEight), o.Drives)
	case o.OverDay >= 0:
		text = fmt.Sprintf("The drive may recover by itself: %s of the slow periods of %s lasted less than a day.", share(o.OverDay), o.Drives)
	case o.OverHour < 0:
		text = fmt.Sprintf("It is unknown whether the drive recovers by itself: the study has no slow period of %s.", o.Drives)
	default:
		text = fmt.Sprintf("The drive may recover by itself: %s of the slow periods of %s lasted less than an hour, %s less than 8 hours.", share(o.OverHour), o.Drives, share(o.OverEight))
	}
	if o.AgainDay >= 0 {
		text += fmt.Sprintf(" %s of the slow hours came within a day after another slow hour.", share(o.AgainDay))
	}
	if o.SavedHours >= 0 {
		text += fmt.Sprintf(" The replacement of a drive after its tenth slow hour avoided %s slow hours.", english.Digits(o.SavedHours))
	} else if o.BackSlow >= 0 {
		text += fmt.Sprintf(" %s of the drives that were unplugged and put back were slow again within a day.", share(o.BackSlow))
	}
	return text + " (Source: " + o.Source + ".)"
}
