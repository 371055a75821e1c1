package sentence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/english"
	sitemap "github.com/limpet-storage/limpet/topology/site"
)

// LookTitle returns the first line of a group in a ranking: the number and kind of components, and
// the number of looks and their tool.
func LookTitle(g *look.Group) string {
	return fmt.Sprintf("%s %s, %s%s", english.Thousands(len(g.Components)), kindOf(g.Kind, len(g.Components)), english.Count(g.Looks, "output"), by(g.Tool))
}

var oneOfKind = strings.NewReplacer("drives", "drive", "devices", "device", "OSDs", "OSD", "OSTs", "OST", "MDTs", "MDT", "components", "component", "bricks", "brick")

// kindOf prints the kind of n components.
func kindOf(kind string, n int) string {
	if n == 1 {
		return oneOfKind.Replace(kind)
	}
	return kind
}

func by(tool string) string {
	if tool == "" {
		return ""
	}
	return " of " + tool
}

// LookFinding returns the result of a group in one sentence.
func LookFinding(g *look.Group) string {
	count := map[look.Mark]int{}
	for i := range g.Components {
		count[g.Components[i].Mark]++
	}
	var parts []string
	if n := len(g.Hosts); n > 0 {
		slow := count[look.SlowWithHost]
		parts = append(parts, fmt.Sprintf("%s, with %d of the %d %s, %s clearly from the other servers: check the %s, not each component", english.Count(n, "server"),
			slow, len(g.Components), g.Kind, english.Verb(n, "differs", "differ"), english.Verb(n, "server", "servers")))
	}
	if n := count[look.Apart]; n > 0 {
		text := fmt.Sprintf("%s of %s %s %s clearly from %s peers", english.Thousands(n), english.Thousands(len(g.Components)), kindOf(g.Kind, len(g.Components)), english.Verb(n, "differs", "differ"), english.Verb(n, "its", "their"))
		if g.Looks == 1 {
			text += " in one output"
		}
		parts = append(parts, text)
	}
	if n := count[look.Explained]; n > 0 {
		parts = append(parts, fmt.Sprintf("%s %s longer than %s peers, and the output shows a reason other than a fault", english.Count(n, "component"), english.Verb(n, "takes", "take"), english.Verb(n, "its", "their")))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; ")
	case g.Split != nil:
		return LookSplit(g.Split)
	case count[look.Idle] == len(g.Components):
		return "there were no requests, so nothing can be compared"
	case count[look.Within]+count[look.Unsure] == 0:
		return "there are too few components to compare"
	case count[look.Unsure] > 0:
		return fmt.Sprintf("no component differs clearly from its peers; %s %s (?)", english.Count(count[look.Unsure], "component"), LookMay(g))
	}
	return "no component differs clearly from its peers"
}

// hasSpeed reports whether a group was compared by a latency or a rate. If not, it was compared by
// amounts of work or data, which do not show that a component is slow.
func hasSpeed(g *look.Group) bool { return !slices.Contains(g.Limits, look.NoSpeed) }

// LookMay returns the verb phrase for components that may differ from their peers.
func LookMay(g *look.Group) string {
	if hasSpeed(g) {
		return "may be slow"
	}
	return "may differ"
}

// LookSplit returns the sentence about a group that consists of a slow and a fast part.
func LookSplit(s *look.Split) string {
	slow, fast := shortList(s.Slow), shortList(s.Fast)
	if len(s.Hosts) > 0 {
		slow = fmt.Sprintf("all %s of %s", english.Count(len(s.Slow), "component"), shortList(s.Hosts))
	}
	switch s.Metric.Role {
	case look.Work, look.HeldData:
		return fmt.Sprintf("there are two groups of components, by %s: the values of %s are %s the values of %s. The comparison cannot show which group is unusual", s.Metric.Name, slow, english.Times(s.Times), fast)
	case look.LowIsSlow:
		return fmt.Sprintf("there are two groups of components, by %s: the values of %s are %s the values of %s. Half or more of the components are slow, so the comparison cannot show which group is faulty", s.Metric.Name, fast, english.Times(s.Times), slow)
	}
	return fmt.Sprintf("there are two groups of components: %s %s %s as long as %s. Half or more of the components are slow, so the comparison cannot show which group is faulty", slow,
		english.Verb(len(s.Slow), "takes", "take"), english.Times(s.Times), fast)
}

// shortList lists names: at most four, or three and the number of the others.
func shortList(names []string) string {
	const few = 4
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few-1], ", "), len(names)-few+1)
	}
	return english.List(names)
}

// LookHost returns the line of a server that differs clearly from the others.
func LookHost(h *look.Host) string {
	text := fmt.Sprintf("%d of %d components are slow; their median latency is %s the median latency on other servers (90 %% interval: %s to %s)",
		h.SlowComponents, h.ComparedComponents, english.Times(h.Times), english.Digits(h.Low), english.Digits(h.High))
	if h.Mark == look.Explained {
		text += "; the output shows a reason other than a fault"
	}
	return text
}

// LookSure returns how certain it is that a component differs clearly from its peers.
func LookSure(c *look.Component, since string) string {
	switch c.Certainty {
	case "":
		return ""
	case look.OneLook:
		if c.ComparedLooks > 1 {
			return LookSeen(c)
		}
		return ""
	}
	text := fmt.Sprintf("%s: %s", c.Certainty, LookSeen(c))
	if since != "" {
		text += ", in every output since " + since
	}
	return text
}

// LookSeen returns the number of outputs in which a component differs clearly from its peers. If the
// component does not differ in the newest output, the text says so.
func LookSeen(c *look.Component) string {
	text := fmt.Sprintf("in %d of %d outputs", c.ApartLooks, c.ComparedLooks)
	if !c.Newest {
		text += ", not in the newest output"
	}
	return text
}

// LookPeers returns the value of the peers in the outputs in which a component differs clearly from
// its peers.
func LookPeers(m *look.Measurement) string {
	return fmt.Sprintf("in these outputs, its peers had %s", LookValue(m.Metric, m.Peers))
}

// LookReason returns a further difference between a component and its peers, which may be a reason.
func LookReason(r *look.Reason) string {
	value, peers := LookValue(r.Metric, r.Value), LookValue(r.Metric, r.Peers)
	beside := fmt.Sprintf("%s %s, peers %s", r.Metric.Name, value, peers)
	more := ""
	if r.Explains {
		more = ": this can explain the difference"
	}
	switch r.Cause {
	case look.MoreWork:
		return "the component has more work than its peers (" + beside + ")" + more
	case look.LargerSize:
		return "its requests are larger than its peers' requests (" + beside + ")" + more
	case look.LongerQueue:
		if r.Explains {
			return "the component does as much work as its peers, but has more requests at the same time (" + beside + "): this is a queue, not a slow device"
		}
		return "the component has more requests at the same time than its peers (" + beside + ")"
	case look.LessWork:
		return "the component does less work than its peers, but needs more time for a request (" + beside + ")"
	case look.ServiceTime:
		return "the component has no more work than its peers, but is busy for a larger share of the time (" + beside + ")"
	case look.InFront:
		return "its requests also wait longer in front of the component than its peers' requests (" + beside + ")"
	case look.MoreHeld:
		return "the component holds more data than its peers (" + beside + ")" + more
	case look.OnlyWrites:
		return "only its writes are slow, as happens when a write cache is off or full (its reads are not slow: " + beside + ")"
	case look.OnlyReads:
		return "only its reads are slow (its writes are not slow: " + beside + ")"
	case look.HasErrors:
		return fmt.Sprintf("%s: %s, peers 0", r.Metric.Name, value)
	case look.Hotter:
		return "the component is hotter than its peers (" + beside + ")"
	}
	return beside
}

// LookValue prints a value with its unit.
func LookValue(m look.Metric, v float64) string {
	if m.Unit == "%" || m.Unit == "/s" {
		return english.Digits(v) + m.Unit
	}
	return english.Quantity(v, m.Unit)
}

// LookLimit returns the sentence about a limit of a group's values.
func LookLimit(l look.Limit, g *look.Group) string {
	switch l {
	case look.FewPeers:
		return "Fewer than 3 components can be compared. With two components, a comparison cannot show which component is faulty."
	case look.SmallGroup:
		return "There are few peers, so a small difference may be chance. Only large differences are reported."
	case look.AllIdle:
		return "There were no requests, so the output does not show how fast these components are."
	case look.NotThePresent:
		return "These values are means since the counters started, so one slow hour is not visible. To measure the present values: " + intervalOf(g.Tool) + "."
	case look.Coarse:
		return "Most values are the smallest value that the tool can print, so smaller differences are not visible."
	case look.NoWork:
		return "The output does not show the load, so it is unknown whether more work explains a long latency."
	case look.NoSpeed:
		return "The output does not show latencies. It shows which components hold more data or do more work, but not which components are slow."
	case look.OnlyOneLook:
		return "This is only one output, so it is unknown whether the difference lasts. Run the tool again a minute later, and give both outputs."
	case look.SlowAlike:
		return "Several components are slow to the same degree. These components may be of another model or kind than their peers, or may share a slow part."
	case look.SomeOfOtherKind:
		var names []string
		for i := range g.Components {
			if g.Components[i].Mark == look.OtherKind {
				names = append(names, g.Components[i].Name)
			}
		}
		n := len(names)
		if !hasSpeed(g) {
			return fmt.Sprintf("%s %s much less than all others, and %s not compared with them. The others are compared with each other.",
				shortList(names), english.Verb(n, "holds or does", "hold or do"), english.Verb(n, "is", "are"))
		}
		return fmt.Sprintf("%s %s much faster than all others: %s probably of another kind, such as %s among hard disks. The others are compared with each other.",
			shortList(names), english.Verb(n, "is", "are"), english.Verb(n, "it is", "they are"), english.Verb(n, "an SSD", "SSDs"))
	case look.PeersOfServer:
		return "The servers differ, so each component is compared with the components of its own server."
	case look.HalfSlow:
		return "Half or more of the components differ clearly from the others, so the comparison cannot show which part is normal: the slow part may be normal, and the others fast or nearly without work."
	case look.UnknownHosts:
		text := "Several components differ clearly from their peers, and their servers are unknown. "
		if m := mapOf(g.Tool); m != "" {
			return text + "Also give the output of " + m + "."
		}
		return text + "Find out whether they are in the same server: then check this server first."
	}
	return string(l)
}

// intervalOf returns the command that prints present values, in place of means since the start.
func intervalOf(tool string) string {
	switch tool {
	case "iostat -x":
		return "iostat -xy 10 1"
	case "zpool iostat -vl":
		return "zpool iostat -vly 10 1"
	case "sar -d":
		return "sar -d 10 1"
	}
	return "run the same command again a minute later, and give both files"
}

// mapOf returns the command whose output has the servers of components. It returns an empty text if
// limpet reads no such command.
func mapOf(tool string) string {
	switch {
	case strings.HasPrefix(tool, "lctl"):
		return "lctl dl -t"
	case strings.HasPrefix(tool, "ceph"):
		return "ceph osd tree"
	}
	return ""
}

// LookTime prints the time of a look. A time without a zone is as the tool printed it. A time
// without a date has only its time of day.
func LookTime(at time.Time, zoned bool) string {
	switch {
	case at.IsZero():
		return ""
	case at.Year() <= 1:
		return at.Format("15:04:05")
	case zoned:
		return at.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return at.Format("2006-01-02 15:04:05")
}

// LookNext returns the last lines of a ranking, because a ranking is no verdict.
func LookNext() string {
	return "This ranking is not a verdict. For a verdict, run limpet diagnose with recorded data, or run limpet serve."
}

// Moved returns the sentence about a difference between two maps.
func Moved(m *sitemap.Move) string {
	when := fmt.Sprintf(" since map %d", m.Print)
	if at := LookTime(m.Since, m.Zoned); at != "" {
		when = " since " + at
	}
	if m.Back {
		if at := LookTime(m.Until, m.Zoned); at != "" {
			when = strings.Replace(when, " since ", " from ", 1) + " to " + at + ", then as before"
		} else {
			when += ", then as before"
		}
	}
	switch {
	case m.What == sitemap.OtherServer:
		return fmt.Sprintf("%s: served by %s%s (before: %s)", m.Object, m.To, when, m.From)
	case m.What == sitemap.OtherState:
		return fmt.Sprintf("%s: %s%s (before: %s)", m.Object, m.To, when, m.From)
	case m.To == "":
		return fmt.Sprintf("%s: missing in the map%s", m.Object, when)
	}
	return fmt.Sprintf("%s: new in the map%s", m.Object, when)
}

// LookOnlyMaps returns the sentence about files that contain only maps, without changes between
// them.
func LookOnlyMaps(maps int) string {
	if maps == 1 {
		return "This is only one map. It shows which server has which component. To see changes, give maps from several times. To find slow components, give an output with latencies."
	}
	return fmt.Sprintf("Nothing changed between %d maps.", maps)
}

// LookSinceStart returns the sentence about outputs that were left out because they are means since
// the start of a server.
func LookSinceStart(n int) string {
	return fmt.Sprintf("%s %s left out, because %s since the start of the server, and the others show short intervals.", english.Count(n, "output"), english.Verb(n, "was", "were"), english.Verb(n, "it is a mean", "they are means"))
}

// LookRepeated returns the sentence about outputs that were given twice.
func LookRepeated(n int) string {
	return fmt.Sprintf("%s %s given twice and %s counted once.", english.Count(n, "output"), english.Verb(n, "was", "were"), english.Verb(n, "is", "are"))
}
