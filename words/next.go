package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/advice"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/topology"
)

// Next is something to do about an incident: a sentence, a command to read, and
// whether redundancy allows it.
type Next struct{ Text, Command, Guard string }

func (n *Next) String() string {
	text := n.Text
	if n.Guard != "" {
		text += " " + n.Guard
	}
	if n.Command != "" {
		text += " " + n.Command
	}
	return text
}

// Next says what to do about an incident, what to look at first. It is empty where
// the incident is over.
func (v *Voice) Next(in *incident.Incident) []Next {
	if in.Phase == incident.Cleared {
		return nil
	}
	p := v.problem(in)
	steps := advice.For(v.System, p, v.outlook(in, p))
	if len(steps) == 0 {
		return []Next{{Text: v.Action(in)}}
	}
	if in.Phase == incident.Recovering {
		steps = steps[:1] // what recovers is not taken out
	}
	var list []Next
	for i := range steps {
		list = append(list, v.step(in, p, &steps[i]))
	}
	return list
}

// problem is an incident as advice is asked for it.
func (v *Voice) problem(in *incident.Incident) *advice.Problem {
	p := &advice.Problem{Kind: in.Kind, Place: in.Place, Seconds: in.Last - in.Onset.At, OthersKnown: v.Open != nil}
	p.Members = affected(in)
	for _, also := range in.Also {
		if len(p.Members) == 0 || v.of(p.Members[0]).Kind != topology.Attachment {
			p.Members = append(p.Members, components(also.Members)...)
		}
	}
	if v.Open == nil {
		return p
	}
	for _, other := range v.Open() {
		if other.ID != in.ID || other.Place != in.Place {
			p.Others = append(p.Others, affected(&other)...)
		}
	}
	return p
}

// affected are the components that an incident shows on, worst first.
func affected(in *incident.Incident) []int {
	if in.Phase == incident.Cleared {
		return nil
	}
	return components(in.Members)
}

func components(members []finding.Member) []int {
	var list []int
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, members[i].Component)
		}
	}
	return list
}

// outlook is that of the fleet's study, or what T16 found.
func (v *Voice) outlook(in *incident.Incident, p *advice.Problem) *advice.Outlook {
	if in.Class != finding.Slow && in.Kind != finding.DiskBusy {
		return nil
	}
	ssd := slices.ContainsFunc(p.Members, func(c int) bool { return strings.HasPrefix(v.of(c).Device, "nvme") })
	if v.Outlook != nil {
		return v.Outlook(ssd)
	}
	return advice.Published(ssd)
}

// step says one step.
func (v *Voice) step(in *incident.Incident, p *advice.Problem, s *advice.Step) Next {
	n := Next{Command: s.Command}
	switch s.Purpose {
	case advice.Check:
		n.Text = v.Action(in)
	case advice.Locate:
		n.Text = v.located(s.Component, len(p.Members) > 1)
	case advice.Wait:
		n.Text = waiting(s.Outlook, p.Seconds)
	case advice.Relieve:
		n.Text = relieved(v.of(s.Component))
	case advice.TakeOut:
		n.Text, n.Guard = "Do not take it out:", guarded(&s.Guard)
		if s.Guard.Allowed {
			n.Text = cmp.Or(takesOut[v.of(s.Component).Storage], "It can be taken out.")
		}
	}
	return n
}

// located says where a part is.
func (v *Voice) located(component int, several bool) string {
	c := v.of(component)
	facts := []string{}
	add := func(format, value string) {
		if value != "" {
			facts = append(facts, fmt.Sprintf(format, value))
		}
	}
	add("server %s", c.Server)
	add("slot %s", c.Slot)
	add("enclosure %s", c.Enclosure)
	add("drawer %s", c.Drawer)
	add("controller %s", c.Controller)
	add("array %s", c.Array)
	add("pool %s", c.Pool)
	add("%s", c.Volume)
	add("model %s", c.Model)
	add("serial number %s", c.Serial)
	add("WWN %s", c.WWN)
	what := "It is "
	if several {
		what = "The worst of them is "
	}
	return what + cmp.Or(c.LUN, c.Name) + ": " + strings.Join(facts, ", ") + "."
}

// relieves say how work is kept from a part without losing anything.
var relieves = map[string]string{
	"gpfs":   "New data can be kept off it, and what is on it stays readable; FS is the file system, and mmchdisk FS resume undoes it:",
	"lustre": "New files can be kept off it, on every MDS (20000 undoes it); what is on it stays readable, and lfs_migrate moves it:",
	"ceph":   "Reads of replicated pools can be sent to the other copies (1 undoes it):",
	"zfs":    "Reads can be answered from parity (OpenZFS 2.4 and later):",
	"beegfs": "Its files can be moved away, while nobody changes them; those of mirror groups stay:",
}

// relieved says how work is kept from a part.
func relieved(c *topology.Component) string {
	switch {
	case c.Storage == "md" && c.Redundancy == "raid1":
		return "Reads can be sent to the other halves of the mirror (-writemostly undoes it):"
	case c.Storage == "md":
		return "A spare can be filled from it before it leaves, so that nothing is lost; add one first where mdstat shows none:"
	}
	return relieves[c.Storage]
}

// takesOut say how a part is taken out.
var takesOut = map[string]string{
	"gpfs":      "It can be stopped, if mmlsdisk FS -e lists no other; start it again with mmchdisk FS start:",
	"lustre":    "It can be deactivated for all, on the MGS (1 undoes it); files without a mirror elsewhere cannot be read until then:",
	"ceph":      "It can be taken out; data are copied from the others first:",
	"zfs":       "It can be taken offline, and replaced with zpool replace:",
	"md":        "It can be failed and removed; mdadm --detail --test stops that where a member is missing already:",
	"multipath": "The path can be failed; multipath -ll must show another that is active:",
	"raid":      "It can be set offline, if the controller shows its volume as optimal; the spare or a new drive is rebuilt:",
	"gluster":   "The brick can be taken down and replaced; gluster volume heal VOLUME info must be empty first:",
	"hdfs":      "It can be left out, once dfs.datanode.data.dir of the server no longer names it, and hdfs fsck / is healthy (port 50020 before Hadoop 3):",
}

// guarded says why a part may be taken out, or may not.
func guarded(g *advice.Guard) string {
	switch g.Reason {
	case advice.Bears:
		return fmt.Sprintf("(%s of %s bears %s; %d of its other parts %s slow or out.)", g.Name, g.Group, lossesOf(g.Spares), g.Lost, verb(g.Lost, "is", "are"))
	case advice.Exhausted:
		return fmt.Sprintf("%s of %s bears %s, and %d of its other parts %s slow or out already.", g.Name, g.Group, lossesOf(g.Spares), g.Lost, verb(g.Lost, "is", "are"))
	case advice.NoneLeft:
		return fmt.Sprintf("%s has no redundancy; copy its data first.", g.Group)
	case advice.Beneath:
		return fmt.Sprintf("%s is the redundancy of the drives within it, and it has no twin itself. Its controller can take a drive out.", g.Name)
	case advice.NotSaid:
		return fmt.Sprintf("the topology does not say what redundancy %s has; add redundancy: to it.", g.Group)
	case advice.NoKind:
		return "the topology does not say what it serves; add kind: and redundancy: to have advice on that."
	}
	return "what else is slow or out is not known here."
}

func lossesOf(n int) string {
	if n == 1 {
		return "1 loss"
	}
	return fmt.Sprintf("%d losses", n)
}

// waiting says how likely it is to recover by itself, and what replacing gained.
func waiting(o *advice.Outlook, seconds int64) string {
	share := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	var text string
	switch {
	case seconds >= 8*3600 && o.OverEight >= 0:
		text = fmt.Sprintf("Do not wait for it to recover: it has lasted longer than %s of the slow runs of %s did.", share(o.OverEight), o.Drives)
	case o.OverDay >= 0:
		text = fmt.Sprintf("It may recover by itself: %s of the slow runs of %s were over within a day.", share(o.OverDay), o.Drives)
	case o.OverHour < 0:
		text = fmt.Sprintf("Whether it recovers by itself is not known: no slow run of %s was counted.", o.Drives)
	default:
		text = fmt.Sprintf("It may recover by itself: %s of the slow runs of %s were over within an hour, %s within 8 hours.", share(o.OverHour), o.Drives, share(o.OverEight))
	}
	if o.AgainDay >= 0 {
		text += fmt.Sprintf(" %s of slow hours came within a day of another.", share(o.AgainDay))
	}
	if o.SavedHours >= 0 {
		text += fmt.Sprintf(" Replacing a drive at its tenth slow hour saved %s slow hours.", digits(o.SavedHours))
	} else if o.BackSlow >= 0 {
		text += fmt.Sprintf(" Of those that were unplugged and put back %s were slow again within a day.", share(o.BackSlow))
	}
	return text + " (" + o.Source + ".)"
}
