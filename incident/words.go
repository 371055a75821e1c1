package incident

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// say puts an incident into words: what it is in a sentence, what decided, and
// what would have decided otherwise.
func (t *Tracker) say(in *Incident) {
	in.Metrics = t.metrics(in)
	switch in.Kind {
	case SilentServer:
		t.saySilent(in)
	case LostAttachment:
		t.sayLost(in)
	case Stall:
		t.sayStall(in)
	case ServerIssued:
		t.sayWork(in)
	case DrawerError, SharedSlowness:
		t.sayShared(in)
	default:
		t.sayAlone(in)
	}
}

func (t *Tracker) saySilent(in *Incident) {
	in.Headline = fmt.Sprintf("%s sends nothing%s", in.Component, since(in.since))
	in.Because = []string{fmt.Sprintf("no data of %s since %s, while other servers send theirs", in.Component, utc(in.since.At))}
	if in.State == Cleared {
		in.Headline = fmt.Sprintf("%s sent nothing from %s to %s", in.Component, utc(in.since.At), utc(in.Last))
		in.Because = []string{fmt.Sprintf("no data of %s meanwhile, while other servers sent theirs", in.Component)}
	}
	if in.since.Earlier {
		in.Headline = fmt.Sprintf("%s has sent nothing in these data", in.Component)
		in.Because = []string{fmt.Sprintf("no data of %s at all, and others serve its LUNs", in.Component)}
	}
	in.Headline += t.moved(in, "its")
	in.Otherwise = "If it sent data without its devices, these would be lost attachments, and what they share would be blamed."
}

func (t *Tracker) sayLost(in *Incident) {
	missing, unused := t.playing(in, Gone), t.playing(in, Unused)
	all := len(missing) + len(unused)
	switch {
	case in.Tier == Attachment || in.Tier == Drive:
		in.Headline = fmt.Sprintf("%s lost %s", t.of(in.Members[0].Component).Server, in.Component)
	case in.Tier == Server && len(missing) == 0:
		in.Headline = fmt.Sprintf("%s no longer serves %s whose primary it is", in.Component, count(t.primaries(unused), "LUN"))
	case in.Tier == Server:
		in.Headline = fmt.Sprintf("%s lost %s", in.Component, count(all, "attachment"))
	case len(unused) == 0:
		in.Headline = fmt.Sprintf("%s lost %s of %s", t.servers(missing), count(all, "attachment"), in.Component)
	default:
		in.Headline = fmt.Sprintf("%s no longer use %s of %s", t.servers(append(missing, unused...)), count(all, "attachment"), in.Component)
	}
	whose := "their"
	if all == 1 {
		whose = "its"
	}
	in.Headline += t.moved(in, whose)
	in.Because = t.sayPaths(missing, unused, t.playing(in, TookOver))
	in.Otherwise = lostOtherwise(in.Tier)
}

func (t *Tracker) sayPaths(missing, unused, heirs []int) []string {
	var lines []string
	if len(missing) > 0 {
		sends := "they send"
		if len(t.serversOf(missing)) == 1 {
			sends = "it sends"
		}
		lines = append(lines, fmt.Sprintf("%s missing from %s, though %s data", t.naming(missing), t.servers(missing), sends))
	}
	if len(unused) > 0 {
		lines = append(lines, fmt.Sprintf("%s there, and without a request while peers are busy", t.naming(unused)))
	}
	if len(heirs) > 0 {
		lines = append(lines, fmt.Sprintf("%s busy instead, and not to blame", t.naming(heirs)))
	}
	return lines
}

func lostOtherwise(tier Tier) string {
	switch tier {
	case Controller:
		return "If only one of its servers had lost paths, that server would be blamed; if servers of the other controller had, too, the array."
	case Array:
		return "If only one server had lost paths, or only those of one controller, that would be blamed; if they had lost them hours apart, each server."
	case Server:
		return "If other servers had lost the same LUNs or their own devices within the hour, what they share would be blamed."
	case LUN:
		return "If other LUNs of these servers had been lost, too, the servers or what they share would be blamed."
	}
	return "If its server had lost other paths, too, the server would be blamed."
}

func (t *Tracker) sayStall(in *Incident) {
	w := worst(in)
	in.Headline = fmt.Sprintf("%s stood still for up to %s", t.what(in), duration(w.Own))
	in.Because = []string{fmt.Sprintf("await of %s was %s in one step", t.of(w.Component).Name, duration(w.Own))}
	if w.Peers > 0 {
		in.Because[0] += ", of its peers " + duration(w.Peers)
	}
	in.Otherwise = fmt.Sprintf("If no request had taken %s, it would have been slow, which takes longer to be an incident.", duration(t.opts.StallMs))
}

func (t *Tracker) sayWork(in *Incident) {
	in.Headline = fmt.Sprintf("%s works for itself through %s, lightly; nothing is broken", in.Component, count(len(in.Members), "standby path"))
	in.Because = []string{"most of its standby paths carry less than 10 kB/s each, though the paths before them could serve"}
	in.Otherwise = "If only some of its standby paths were busy, or more than that, load would have moved there, and the paths before them would be lost."
}

func (t *Tracker) sayShared(in *Incident) {
	slow := t.playing(in, Slow)
	judged := max(in.Judged, len(slow))
	in.Headline = fmt.Sprintf("%d of %s of %s answer about %s slower than their peers, %s at the worst",
		len(slow), count(judged, t.unit(in)), in.Component, times(usually(in)), times(in.Worst))
	w := worst(in)
	in.Because = []string{
		fmt.Sprintf("%d of %d are slow there, of all others %d of %d", len(slow), judged, in.oddElse, in.judgedElse),
		t.compared(&w),
	}
	in.Otherwise = "If there were no more of them than elsewhere, each would stand for itself; if only those of a part of it were slow, that part would be blamed."
}

func (t *Tracker) sayAlone(in *Incident) {
	m := worst(in)
	name := t.what(in)
	switch {
	case in.Tier == Attachment:
		in.Headline = fmt.Sprintf("%s, a standby path that nobody needs, takes %s for what little it is asked", name, t.measure(m.Own))
	case in.Kind == WorkloadImbalance:
		in.Headline = fmt.Sprintf("%s answers %s slower than its peers, with %s their load", name, times(m.Mean), times(m.Load))
	default:
		in.Headline = fmt.Sprintf("%s answers %s slower than its peers", name, times(m.Mean))
	}
	in.Because = []string{t.compared(&m)}
	in.Otherwise = aloneOtherwise(in, &m)
}

func (t *Tracker) compared(m *Member) string {
	metric := &t.schema.Metrics[t.lead]
	c := t.of(m.Component)
	if m.Peers > 0 {
		return fmt.Sprintf("%s of %s was %s at the worst, that of its peers (%s) %s", metric.Name, c.Name, t.measure(m.Own), t.system.Groups[c.Group-1].Name, t.measure(m.Peers))
	}
	return fmt.Sprintf("%s of %s was %s at the worst", metric.Name, c.Name, t.measure(m.Own))
}

func aloneOtherwise(in *Incident, m *Member) string {
	switch {
	case in.Kind == WorkloadImbalance:
		return "If it had no more to do than its peers, the LUN itself would be blamed."
	case in.Tier == Attachment:
		return "If the paths before it were lost, it would have taken over, and they would be blamed."
	case m.Load > 0:
		return fmt.Sprintf("If it had far more to do than its peers (it had %s), its workload would be blamed; if many that hang with it were slow, too, what they share.", share(m.Load))
	}
	return "If many that hang with it were slow, too, what they share would be blamed."
}

// worst is the member that was slowest.
func worst(in *Incident) Member {
	worst := in.Members[0]
	for _, m := range in.Members {
		if m.Worst > worst.Worst {
			worst = m
		}
	}
	return worst
}

// usually is how many times slower the members of an incident are: the median of
// their means.
func usually(in *Incident) float64 {
	var all []float64
	for i := range in.Members {
		if m := &in.Members[i]; m.Mean > 0 {
			all = append(all, m.Mean)
		}
	}
	return median(all)
}

// what names the members of an incident by number, or the one there is.
func (t *Tracker) what(in *Incident) string {
	if !in.wide() {
		return strings.TrimSpace(map[Tier]string{LUN: "LUN "}[in.Tier] + in.Component)
	}
	return fmt.Sprintf("%s of %s", count(len(in.Members), t.unit(in)), in.Component)
}

// unit is what the members of an incident are.
func (t *Tracker) unit(in *Incident) string {
	if t.of(in.Members[0].Component).LUN == "" {
		return "drive"
	}
	return "LUN"
}

// playing lists the members in a role, as far as it shows on them now.
func (t *Tracker) playing(in *Incident, role Role) []int {
	var list []int
	for i := range in.Members {
		if m := &in.Members[i]; m.Role == role && (m.Odd || role == Slow) {
			list = append(list, m.Component)
		}
	}
	return list
}

// primaries counts first paths.
func (t *Tracker) primaries(all []int) int {
	n := 0
	for _, c := range all {
		if !t.standby(c) {
			n++
		}
	}
	return n
}

// moved says who carries the load of what was lost.
func (t *Tracker) moved(in *Incident, whose string) string {
	servers := t.serversOf(t.playing(in, TookOver))
	if len(servers) == 0 {
		return ""
	}
	if in.State == Cleared {
		return fmt.Sprintf("; %s carried %s load", names(servers), whose)
	}
	verb := "carry"
	if len(servers) == 1 {
		verb = "carries"
	}
	return fmt.Sprintf("; %s %s %s load%s", names(servers), verb, whose, since(in.since))
}

// servers names those of some components.
func (t *Tracker) servers(components []int) string { return names(t.serversOf(components)) }

func (t *Tracker) serversOf(components []int) []string {
	var list []string
	seen := map[string]bool{}
	for _, c := range components {
		if s := t.of(c).Server; !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

// naming counts components, and names one.
func (t *Tracker) naming(components []int) string {
	if len(components) == 1 {
		return t.of(components[0]).Name + " is"
	}
	return fmt.Sprintf("%s and %d more are", t.of(components[0]).Name, len(components)-1)
}

// metrics lists others in which members are suspect.
func (t *Tracker) metrics(in *Incident) []string {
	bits := uint32(0)
	for i := range in.Members {
		if in.Members[i].Role != TookOver {
			bits |= t.also[in.Members[i].Component]
		}
	}
	var list []string
	for m := range t.schema.Metrics {
		if bits&(1<<m) != 0 {
			list = append(list, t.schema.Metrics[m].Name)
		}
	}
	return list
}

// measure prints a value of the leading metric.
func (t *Tracker) measure(v float64) string {
	if t.schema.Metrics[t.lead].Unit == "ms" {
		return duration(v)
	}
	return strings.TrimSpace(digits(v) + " " + t.schema.Metrics[t.lead].Unit)
}

func since(o Onset) string {
	if o.Earlier {
		return " since before the data begin"
	}
	return " since " + utc(o.At)
}

// named is how many names a sentence bears.
const named = 4

func names(list []string) string {
	switch n := len(list); {
	case n == 0:
		return ""
	case n == 1:
		return list[0]
	case n > named:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:named-1], ", "), n-named+1)
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// times prints a ratio.
func times(r float64) string { return digits(r) + " times" }

// duration prints milliseconds as people say them.
func duration(ms float64) string {
	if ms >= 1000 {
		return digits(ms/1000) + " s"
	}
	return digits(ms) + " ms"
}

// digits prints three of them, and large numbers whole.
func digits(v float64) string {
	if math.Abs(v) >= 999.5 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// share puts a load beside that of peers into words.
func share(load float64) string {
	if load > 0.95 && load < 1.05 {
		return "as much as they"
	}
	return times(load) + " as much"
}

func utc(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04") }
