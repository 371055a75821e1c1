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
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Headline says what an incident is in one sentence, without a full stop.
func (v *Writer) Headline(in *incident.Incident) string {
	if in.Class.OfServer() {
		return v.resource(in)
	}
	if len(in.Members) == 0 {
		return fmt.Sprintf("%s: %s", named(in.Place), in.Kind)
	}
	if in.Class == finding.Load {
		return v.asked(in)
	}
	switch in.Kind {
	case finding.SilentServer:
		return v.silent(in)
	case finding.LostAttachment:
		return v.lost(in)
	case finding.StalledRequests:
		return v.stalled(in)
	case finding.SlowTail:
		return v.tail(in)
	case finding.ServerIssued:
		return fmt.Sprintf("%s %s light work of its own through %s; nothing is broken",
			in.Place.Name, tense(in, "does", "did"), english.Count(len(in.Members), "standby path"))
	case finding.ArrayUpkeep:
		return v.upkeep(in)
	case finding.DrawerError, finding.SharedSlowness:
		return v.shared(in)
	}
	return v.alone(in)
}

func (v *Writer) silent(in *incident.Incident) string {
	text := "sent nothing until " + v.Time(in.Last)
	if goesOn(in) {
		text = "has sent nothing " + since(cmp.Or(in.Spell, in.Onset), v.minute())
	}
	return in.Place.Name + " " + text + v.moved(in, "its")
}

func (v *Writer) lost(in *incident.Incident) string {
	gone, unused := playing(in, finding.Gone), playing(in, finding.Unused)
	all := slices.Concat(gone, unused)
	servers, does := v.serversOf(all), "lost"
	if len(unused) > 0 {
		does = tense(in, english.Verb(len(servers), "no longer uses", "no longer use"), "did not use")
	}
	what := english.Count(len(all), v.unit(in))
	switch in.Place.Tier {
	case blame.Attachment, blame.Drive:
		what = in.Place.Name
	case blame.Server:
	default:
		what += " of " + named(in.Place)
	}
	return fmt.Sprintf("%s %s %s%s", fold(servers), does, what, v.moved(in, english.Verb(len(all), "its", "their")))
}

// moved says who carries the load of what was lost.
func (v *Writer) moved(in *incident.Incident, whose string) string {
	servers := v.serversOf(playing(in, finding.TookOver))
	if len(servers) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s %s load", fold(servers), tense(in, english.Verb(len(servers), "carries", "carry"), "carried"), whose)
}

func (v *Writer) stalled(in *incident.Incident) string {
	who := named(in.Place)
	if in.Place.Wide() {
		who = fmt.Sprintf("%s of %s", english.Count(len(in.Members), v.unit(in)), who)
	}
	return fmt.Sprintf("%s stood still for up to %s", who, v.measure(worst(in).Own))
}

// tail says how many requests take how long, and what those of the peers take.
func (v *Writer) tail(in *incident.Incident) string {
	slow, share, took := worst(in).Own, evidenceOf(in, finding.SlowRequests), evidenceOf(in, finding.SlowTime)
	if share == nil || took == nil || !(share.Own > 0) {
		return fmt.Sprintf("some requests to %s %s %s", named(in.Place), tense(in, "take", "took"), v.measure(slow))
	}
	if took.Own < took.Peers && share.Peers > 0 { // some of the peers' take as long
		return fmt.Sprintf("1 in %s requests to %s %s about %s in the device, %s times as many as of its peers'", english.Digits(math.Round(1/share.Own)), named(in.Place),
			tense(in, "takes", "took"), english.Quantity(took.Own, took.Unit), english.Digits(share.Own/share.Peers))
	}
	return fmt.Sprintf("1 in %s requests to %s %s %s in the device; 99.9 %% of its peers' %s below %s", english.Digits(math.Round(1/share.Own)), named(in.Place),
		tense(in, "takes", "took"), english.Quantity(took.Own, took.Unit), be(in, 2), english.Quantity(took.Peers, took.Unit))
}

// evidenceOf is the evidence of a metric, nil where there is none.
func evidenceOf(in *incident.Incident, metric string) *finding.Evidence {
	if i := slices.IndexFunc(in.Evidence, func(e finding.Evidence) bool { return e.Metric == metric }); i >= 0 {
		return &in.Evidence[i]
	}
	return nil
}

// upkeep says what an array does to itself, and what that costs.
func (v *Writer) upkeep(in *incident.Incident) string {
	m, does := worst(in), "rebuilt"
	if len(playing(in, finding.Checked)) > len(playing(in, finding.Rebuilds)) {
		does = "checked"
	}
	return fmt.Sprintf("%s %s %s slower than its peers while its array %s %s; nothing is broken", named(in.Place), tense(in, "answers", "answered"),
		slower(m), be(in, 1), does)
}

func (v *Writer) shared(in *incident.Incident) string {
	slow, most := len(playing(in, finding.IsSlow)), worst(in).Worst
	usual := cmp.Or(middle(in, func(m *finding.Member) float64 { return m.Effect.Times }), most)
	return fmt.Sprintf("%d of %s of %s%s %s about %s slower than their peers, %s at the worst", slow, english.Count(max(in.Judged, slow), v.unit(in)),
		named(in.Place), v.across(in), tense(in, "answer", "answered"), english.Times(usual), english.Times(most))
}

func (v *Writer) alone(in *incident.Incident) string {
	m := worst(in)
	if in.Place.Tier == blame.Attachment {
		return fmt.Sprintf("%s, a standby path that nobody needs, %s %s for each of its few requests", in.Place.Name, tense(in, "takes", "took"), v.measure(m.Own))
	}
	text := fmt.Sprintf("%s %s %s slower than its peers", named(in.Place), tense(in, "answers", "answered"), slower(m))
	if e := m.Effect; e.Low > 0 && !math.IsInf(e.High, 1) {
		text += fmt.Sprintf(" (%s to %s)", english.Digits(e.Low), english.Digits(e.High))
	}
	if in.Kind == finding.WorkloadImbalance {
		text += fmt.Sprintf(", with %s their load", english.Times(m.Load))
	}
	if in.MayBe == finding.ArrayUpkeep {
		text += "; it " + tense(in, "may be rebuilding", "may have rebuilt") + " a drive"
	}
	return text
}

// slower says how many times slower a member is than its peers. Where no more was
// counted it says so.
func slower(m *finding.Member) string {
	text := english.Times(cmp.Or(m.Effect.Times, m.Worst))
	if math.IsInf(m.Effect.High, 1) {
		return "more than " + text
	}
	return text
}

// worst is the member that was slowest; one without a role where there is none.
func worst(in *incident.Incident) *finding.Member {
	worst := &finding.Member{}
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver && (m.Worst > worst.Worst || worst.Role == "") {
			worst = m
		}
	}
	return worst
}

// middle is the median of what members have; 0 where none has it.
func middle(in *incident.Incident, of func(*finding.Member) float64) float64 {
	var all []float64
	for i := range in.Members {
		if x := of(&in.Members[i]); x > 0 {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return quantile.Median(all)
}

// resource says what is wrong with a resource of a server, by the first metric
// that decides.
func (v *Writer) resource(in *incident.Incident) string {
	does := tense(in, kinds[in.Kind].does, kinds[in.Kind].did)
	e := deciding(in)
	if e == nil {
		return in.Place.Name + " " + does
	}
	noun, own, peers := compared(e)
	return fmt.Sprintf("%s %s: %s %s, its peers' %s", v.of(e.Component).Name, does, noun, own, peers)
}

// deciding is the first evidence that decides and has values; nil where none has.
func deciding(in *incident.Incident) *finding.Evidence {
	for i := range in.Evidence {
		if e := &in.Evidence[i]; e.Decides && e.Component >= 0 && !table.IsMissing(e.Own+e.Peers) {
			return e
		}
	}
	return nil
}

// compared says what evidence measures, and both values.
func compared(e *finding.Evidence) (noun, own, peers string) {
	unit := strings.TrimSuffix(e.Unit, " of segments")
	return cmp.Or(nouns[e.Metric], e.Metric), english.Quantity(e.Own, unit), english.Quantity(e.Peers, unit)
}

// kinds say of each kind what it means, and of a resource what it does and did.
var kinds = map[finding.Kind]struct{ meaning, does, did string }{
	finding.LostAttachment:    {meaning: "Servers can no longer reach storage by a path that they had."},
	finding.SilentServer:      {meaning: "The server sends no data. It may be down, or its recorder may have stopped."},
	finding.DrawerError:       {meaning: "Many LUNs of the array are slow at once, as when a drawer of drives fails."},
	finding.SingleLUN:         {meaning: "One LUN is slow, without more load than its peers. One of its drives may be failing."},
	finding.SlowDrive:         {meaning: "One drive is slow, without more load than its peers."},
	finding.SharedSlowness:    {meaning: "Most of what hangs on this part is slow, and the rest of the system is not."},
	finding.WorkloadImbalance: {"It is slow because it has more to do than its peers. The hardware is not at fault.", "is healthy but has more to do than its peers", "was healthy but had more to do than its peers"},
	finding.StalledRequests:   {meaning: "Requests stood still for many seconds, then went on."},
	finding.SlowTail:          {meaning: "Most of its requests are as quick as its peers', but a few take far longer in the device. Its mean hardly shows it."},
	finding.ServerIssued:      {meaning: "The server reads a little from all of its LUNs, as device scans do. This is harmless."},
	finding.ArrayUpkeep:       {meaning: "Its array is known to rebuild or to check itself, which makes it slow. What lasts when that has ended is told anew."},
	finding.DiskHog:           {"Its drive has more to do than those of its peers, and clients did not ask for it.", "has more work than its peers", "had more work than its peers"},
	finding.DiskBusy:          {"Its drive is slow, or has work to do that the server does not see.", "answers slower than its peers", "answered slower than its peers"},
	finding.NetworkHog:        {"Its interface carries more than those of its peers, and no drive explains it.", "carries more traffic than its peers", "carried more traffic than its peers"},
	finding.PacketLoss:        {"Segments on the way to it or from it get lost.", "loses packets", "lost packets"},
}

// Meaning explains a kind at first reading, and is empty for one that is not known.
func Meaning(k finding.Kind) string { return kinds[k].meaning }

// nouns are what metrics measure.
var nouns = map[string]string{
	metric.RdSec.Name: "reads", metric.WrSec.Name: "writes", metric.Await.Name: "wait",
	metric.RxByt.Name: "received traffic", metric.TxByt.Name: "sent traffic",
	metric.RetrOut.Name: "segments sent again from it", metric.RetrIn.Name: "segments sent again to it",
	metric.CwndOut.Name: "congestion window", metric.CwndIn.Name: "congestion window",
}
