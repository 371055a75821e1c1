package sentence

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Headline describes an incident in one sentence, without a full stop: "LUN 1.4 answers 3.2 times
// slower than its peers".
func (w *Writer) Headline(in *incident.Incident) string {
	switch in.Class {
	case finding.Pause:
		return w.paused(in)
	case finding.Capacity:
		return w.atLimit(in)
	}
	if in.Class.IsAboutServer() {
		return w.resource(in)
	}
	if len(in.Members) == 0 {
		return fmt.Sprintf("%s: %s", where(in), KindName(in.Kind))
	}
	if in.Class == finding.Load {
		return w.loadHeadline(in)
	}
	if in.Class == finding.Past {
		return w.before(in)
	}
	switch in.Kind {
	case finding.SilentServer:
		return w.silent(in)
	case finding.LostAttachment:
		return w.lost(in)
	case finding.StalledRequests:
		return w.stalled(in)
	case finding.SlowTail:
		return w.tail(in)
	case finding.ServerIssued:
		return fmt.Sprintf("%s %s a few requests of its own through %s; there is no fault",
			in.Place.Name, tense(in, "sends", "sent"), english.Count(len(in.Members), "standby path"))
	case finding.ArrayUpkeep:
		return w.upkeep(in)
	case finding.DrawerError, finding.SharedSlowness:
		return w.shared(in)
	}
	return w.alone(in)
}

func (w *Writer) silent(in *incident.Incident) string {
	text := "sent no data until " + w.Time(in.Last)
	if goesOn(in) {
		text = "has sent no data since " + w.silentSince(in)
	}
	if w.isCluster(in) {
		return fmt.Sprintf("the prometheus module of the manager of Ceph cluster %s %s", in.Place.Name, text)
	}
	return in.Place.Name + " " + text + w.moved(in, "its")
}

// silentSince prints the time of the last data of a silent server. It is later than the onset of the
// incident if the server sent data for a short time in between. It is earlier if an operator resolved
// the incident, and the server is still silent.
func (w *Writer) silentSince(in *incident.Incident) string {
	o, last := in.PresentOnset(), in.LatestSince()
	switch {
	case last == 0 || o.Early <= last && last <= o.Late:
		return start(o, w.minute())
	case in.Onset.Earlier && last <= in.Onset.At:
		return start(in.Onset, w.minute())
	}
	return w.minute().at(last)
}

func (w *Writer) lost(in *incident.Incident) string {
	gone, unused := playing(in, finding.Gone), playing(in, finding.Unused)
	all := slices.Concat(gone, unused)
	servers, does := w.serversOf(all), "lost"
	if len(unused) > 0 {
		does = tense(in, english.Verb(len(servers), "no longer uses", "no longer use"), "did not use")
	}
	what := english.Count(len(all), w.unit(in))
	if in.Onset.Earlier { // a path that was never seen counts only if it should be used, so there may be more
		what = "at least " + what
	}
	switch in.Place.Tier {
	case blame.Attachment, blame.Drive:
		what = in.Place.Name
	case blame.Server:
	default:
		what += " of " + named(in.Place)
	}
	return fmt.Sprintf("%s %s %s%s", fold(servers), does, what, w.moved(in, english.Verb(len(all), "its", "their")))
}

// moved returns the end of a sentence with the servers that carry the load of lost paths: "; fs2
// carries its load". It is empty if no other server does.
func (w *Writer) moved(in *incident.Incident, whose string) string {
	if carried := w.carried(in, whose); carried != "" {
		return "; " + carried
	}
	return ""
}

// carried names the servers that carry the load of lost paths: "fs2 carries its load".
func (w *Writer) carried(in *incident.Incident, whose string) string {
	servers := w.serversOf(playing(in, finding.TookOver))
	if len(servers) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s %s load", fold(servers), tense(in, english.Verb(len(servers), "carries", "carry"), "carried"), whose)
}

func (w *Writer) stalled(in *incident.Incident) string {
	who := named(in.Place)
	if in.Place.CanBeShared() {
		who = fmt.Sprintf("%s of %s", english.Count(len(in.Members), w.unit(in)), who)
	}
	return fmt.Sprintf("%s answered no request for up to %s", who, w.measure(worst(in).Own))
}

// tail makes the headline of a slow tail: the share of slow requests, how long they take, and how
// long requests of the peers take.
func (w *Writer) tail(in *incident.Incident) string {
	slow, share, took := worst(in).Own, evidenceOf(in, finding.SlowRequests), evidenceOf(in, finding.SlowTime)
	if share == nil || took == nil || !(share.Own > 0) {
		return fmt.Sprintf("some requests to %s %s %s", named(in.Place), tense(in, "take", "took"), w.measure(slow))
	}
	if took.Own < took.Peers && share.Peers > 0 { // some requests of the peers take as long
		return fmt.Sprintf("1 in %s requests to %s %s about %s in the device; on its peers, requests that take this long are %s times rarer", english.Digits(math.Round(1/share.Own)), named(in.Place),
			tense(in, "takes", "took"), english.Quantity(took.Own, took.Unit), english.Digits(share.Own/share.Peers))
	}
	return fmt.Sprintf("1 in %s requests to %s %s %s in the device; 99.9 %% of its peers' requests %s less than %s", english.Digits(math.Round(1/share.Own)), named(in.Place),
		tense(in, "takes", "took"), english.Quantity(took.Own, took.Unit), tense(in, "take", "took"), english.Quantity(took.Peers, took.Unit))
}

// evidenceOf returns the evidence of a metric; nil: there is none.
func evidenceOf(in *incident.Incident, metric string) *finding.Evidence {
	if i := slices.IndexFunc(in.Evidence, func(e finding.Evidence) bool { return e.Metric == metric }); i >= 0 {
		return &in.Evidence[i]
	}
	return nil
}

// upkeep makes the headline of an array that rebuilds or checks itself.
func (w *Writer) upkeep(in *incident.Incident) string {
	does := "rebuilt"
	if len(playing(in, finding.Checked)) > len(playing(in, finding.Rebuilds)) {
		does = "checked"
	}
	return fmt.Sprintf("%s %s %s slower than its peers while its array %s being %s; there is no fault", named(in.Place), tense(in, "answers", "answered"),
		slower(in), be(in, 1), does)
}

func (w *Writer) shared(in *incident.Incident) string {
	slow := len(playing(in, finding.IsSlow))
	of := "of"
	if in.Place.Tier == blame.Slot || in.Place.Tier == blame.Position {
		of = "in"
	}
	return fmt.Sprintf("%d of %s %s %s%s %s %s slower than their peers%s", slow, w.among(in, slow),
		of, where(in), w.across(in), tense(in, "answer", "answered"), about(in), interval(in))
}

func (w *Writer) alone(in *incident.Incident) string {
	m := worst(in)
	if in.Place.Tier == blame.Attachment {
		return fmt.Sprintf("%s, a standby path with few requests, %s %s for each request", in.Place.Name, tense(in, "takes", "took"), w.measure(m.Own))
	}
	text := fmt.Sprintf("%s %s %s slower than its peers", named(in.Place), tense(in, "answers", "answered"), slower(in)) + interval(in)
	if in.Kind == finding.WorkloadImbalance {
		text += fmt.Sprintf(", with %s their load", english.Times(m.Load))
	}
	if in.MayBe == finding.ArrayUpkeep {
		text += "; its array " + tense(in, "may be rebuilding", "may have been rebuilding") + " a drive"
	}
	return text
}

// slower prints how many times slower than its peers an incident is. If the effect has no upper
// bound, it prints "more than".
func slower(in *incident.Incident) string {
	e := in.Effect()
	text := english.Times(e.Times)
	if math.IsInf(e.High, 1) {
		return "more than " + text
	}
	return text
}

// about prints how many times slower several components are, with "about", because they differ a
// little.
func about(in *incident.Incident) string {
	if text := slower(in); strings.HasPrefix(text, "more than") {
		return text
	}
	return "about " + slower(in)
}

// interval prints the interval of the number of an incident: " (between 3.27 and 4.01 times)". With
// several slow components it prints the smallest and the largest effect: " (from 2.08 to 2.52
// times)". It is empty if the effect has no upper bound.
func interval(in *incident.Incident) string {
	e := in.Effect()
	low, high := english.Digits(e.Low), english.Digits(e.High)
	if !(e.Low > 0) || math.IsInf(e.High, 1) || low == high {
		return ""
	}
	if in.HasSeveralEffects() {
		return fmt.Sprintf(" (from %s to %s times)", low, high)
	}
	return fmt.Sprintf(" (between %s and %s times)", low, high)
}

// worst returns the member with the largest effect since the onset; an empty member if there is
// none.
func worst(in *incident.Incident) *finding.Member {
	worst := &finding.Member{}
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver && (worst.Role == "" || incident.WorstFirst(*m, *worst) < 0) {
			worst = m
		}
	}
	return worst
}

// resource makes the headline about a disk or a network of a server, with the first metric that
// decides. The numbers are those of the window in which the metric differed most.
func (w *Writer) resource(in *incident.Incident) string {
	does := tense(in, kinds[in.Kind].does, kinds[in.Kind].did)
	e := deciding(in)
	if e == nil {
		return in.Place.Name + " " + does
	}
	if in.Kind == finding.SystemUpkeep {
		return w.exchanged(in, e)
	}
	noun, own, peers := compared(e)
	who := w.of(e.Component).Name
	if in.Kind == finding.WorkloadImbalance && w.of(e.Component).Kind == topology.Interface {
		who, does = in.Place.Name, fmt.Sprintf("%s %s as much work as its peers", tense(in, "does", "did"), english.Times(e.Own/e.Peers))
	}
	return fmt.Sprintf("%s %s (%s: %s, its peers: %s, in the time window with the largest difference)%s", who, does, noun, own, peers, otherRequests(in))
}

// exchanged makes the headline of servers that exchange data with each other: "s3 receives up to 4.2 MB/s
// from other servers of the storage system (its peers: 12 kB/s), and s2 takes part, as in a self-heal or a
// rebalance; there is no fault".
func (w *Writer) exchanged(in *incident.Incident, e *finding.Evidence) string {
	_, own, peers := compared(e)
	text := fmt.Sprintf("%s %s up to %s from other servers of the storage system (its peers: %s)", in.Place.Name, tense(in, "receives", "received"), own, peers)
	if e.Metric == metric.TxSrv.Name {
		text = fmt.Sprintf("%s %s up to %s to other servers of the storage system (its peers: %s)", in.Place.Name, tense(in, "sends", "sent"), own, peers)
	}
	partners := slices.DeleteFunc(w.serversOf(playing(in, finding.Exchanging)), func(name string) bool { return name == in.Place.Name })
	if len(partners) > 0 {
		text += fmt.Sprintf(", and %s %s part in this exchange", fold(partners), tense(in, english.Verb(len(partners), "takes", "take"), "took"))
	}
	return text + ", as in a self-heal or a rebalance; there is no fault"
}

// otherRequests ends the headline of a drive whose requests differ from those of its peers, so that
// the device may be healthy: "; its requests differ (size of a request: 256 sectors, its peers: 32 sectors), and
// the device may be healthy".
func otherRequests(in *incident.Incident) string {
	if in.MayBe != finding.WorkloadImbalance {
		return ""
	}
	var list []string
	for i := range in.Evidence {
		e := &in.Evidence[i]
		switch e.Metric {
		case finding.WorkOfDrive:
			list = append(list, fmt.Sprintf("%s the work of its peers", english.Times(e.Own/e.Peers)))
		case metric.AvgRqSz.Name, finding.ReadsOfAll:
			noun, own, peers := compared(e)
			list = append(list, fmt.Sprintf("%s: %s, its peers: %s", noun, own, peers))
		}
	}
	return fmt.Sprintf("; its requests %s from its peers' requests (%s), so the device may be healthy", tense(in, "differ", "differed"), strings.Join(list, "; "))
}

// deciding returns the first evidence that decides and has values; nil: there is none.
func deciding(in *incident.Incident) *finding.Evidence {
	for i := range in.Evidence {
		if e := &in.Evidence[i]; e.Decides && e.Component >= 0 && !table.IsMissing(e.Own+e.Peers) {
			return e
		}
	}
	return nil
}

// compared returns the noun for the metric of evidence, and both values with their unit.
func compared(e *finding.Evidence) (noun, own, peers string) {
	unit := strings.TrimSuffix(e.Unit, " of segments")
	own, peers = english.Quantities(e.Own, e.Peers, unit)
	return cmp.Or(nouns[e.Metric], e.Metric), own, peers
}

// kinds has the meaning of each kind, and for a resource its verb in the present and the past.
var kinds = map[finding.Kind]struct{ meaning, does, did string }{
	finding.LostAttachment:    {meaning: "Servers have lost a path to their storage."},
	finding.SilentServer:      {meaning: "The server sends no data. It may be down, or its recorder may have stopped."},
	finding.DrawerError:       {meaning: "Many LUNs of the array are slow at the same time. The cause may be a failed drawer of drives."},
	finding.SingleLUN:         {meaning: "One LUN is slow, without more load than its peers. One of its drives may be failing."},
	finding.SlowDrive:         {meaning: "One drive is slow, without more load than its peers."},
	finding.SharedSlowness:    {meaning: "Most components that share this part are slow, and no other component of the storage system is slow."},
	finding.WorkloadImbalance: {"The component has more work than its peers. If the component is slow, the work is the reason: the hardware is healthy.", "is healthy but has more work than its peers", "was healthy but had more work than its peers"},
	finding.StalledRequests:   {meaning: "For many seconds the component answered no request, and then it continued."},
	finding.SlowTail:          {meaning: "Most of its requests are as fast as the requests of its peers, but a few requests take far longer in the device. The mean latency hardly shows the difference."},
	finding.SlowerThanBefore:  {meaning: "The component is slower than it was before, and its load does not explain this. A comparison with peers does not show the cause: there are too few peers, or the peers became slower too."},
	finding.ChangedWorkload:   {meaning: "The component is slower than it was before, and its requests are different from earlier requests. The requests may be the cause."},
	finding.NoisyNeighbour:    {meaning: "The components are slower than they were before, and another component that uses the same hardware, or a client, has had many more requests since then. This load is the probable cause, so the hardware is healthy."},
	finding.ServerIssued:      {meaning: "The server reads a little data from all of its LUNs, as a device scan does. This is harmless."},
	finding.ArrayUpkeep:       {meaning: "The component is slow because its array is being rebuilt or checked. If the component is still slow afterwards, a new incident starts."},
	finding.SystemUpkeep:      {"The server exchanges more data with other servers of the storage system than its peers do, as in a self-heal or a rebalance. This is not a fault, but clients may have to wait longer until the exchange is complete.", "exchanges data with other servers", "exchanged data with other servers"},
	finding.DiskHog:           {"The drive of the server has more work than the drives of its peers, and clients did not request this work.", "has more work than its peers", "had more work than its peers"},
	finding.DiskBusy:          {"The drive of the server is slow, or does work that the server cannot see.", "is slower than its peers", "was slower than its peers"},
	finding.NetworkHog:        {"The network interface of the server carries more traffic than the interfaces of its peers, and the work of the drives does not explain the traffic.", "carries more traffic than its peers", "carried more traffic than its peers"},
	finding.Pauses:            {"Again and again, the server has requests but works on none of these requests for a second or longer.", "pauses again and again", "paused again and again"},
	finding.FullFileSystem:    {meaning: "The space or the inodes of the file system are nearly used up. Writes will soon fail, and file systems that are nearly full become slow."},
	finding.Throttled:         {meaning: "The component serves requests at a constant rate while more requests wait. The volume, the instance, the control group or the device may set this limit."},
	finding.Overheated:        {meaning: "The drive is so hot that it slows itself down."},
	finding.PacketLoss:        {"TCP segments to or from the server are lost.", "loses packets", "lost packets"},
}

// KindName returns the name of a kind for people. Programs read the kind itself.
func KindName(k finding.Kind) string {
	if k == finding.LostAttachment {
		return "lost paths"
	}
	return string(k)
}

// roles has the words for the role of a component in an incident, if people need other words than
// programs.
var roles = map[finding.Role]string{
	finding.Checked: "slow, array is being checked", finding.Rebuilds: "slow, array is being rebuilt", finding.Gone: "missing", finding.Unused: "path not used",
	finding.TookOver: "has taken over load", finding.Working: "only requests of its server", finding.AskedMore: "more requests than peers", finding.AtFault: "faulty",
	finding.Exchanging: "exchanges data with other servers",
}

// RoleName returns the words for a role of a component.
func RoleName(r finding.Role) string { return cmp.Or(roles[r], string(r)) }

// Meaning explains a kind of incident. It is empty for an unknown kind.
func Meaning(k finding.Kind) string { return kinds[k].meaning }

// nouns has the words for the quantities that metrics measure.
var nouns = map[string]string{
	metric.AvgRqSz.Name: "size of a request", finding.ReadsOfAll: "share of reads",
	metric.TPS.Name: "requests", metric.RdSec.Name: "reads", metric.WrSec.Name: "writes", metric.Await.Name: "wait",
	metric.RxByt.Name: "received traffic", metric.TxByt.Name: "sent traffic",
	metric.RetrOut.Name: "retransmitted segments that the server sent", metric.RetrIn.Name: "retransmitted segments to the server",
	metric.RxSrv.Name: "data from other servers", metric.TxSrv.Name: "data to other servers",
	metric.CwndOut.Name: "congestion window", metric.CwndIn.Name: "congestion window",
}
