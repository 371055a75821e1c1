package incident

import (
	"fmt"

	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/topology"
)

// Indicted makes incidents of servers that were indicted by a checklist or by
// symptoms. To is the end of the data, and lasting how many seconds before it
// a server may have been suspect last and still be so.
func Indicted(list []explain.Indictment, system *topology.System, to, lasting int64) []Incident {
	var out []Incident
	for i := range list {
		out = append(out, indicted(&list[i], system, i+1, to, lasting))
	}
	return out
}

func indicted(in *explain.Indictment, system *topology.System, id int, to, lasting int64) Incident {
	x := Incident{
		ID: id, Component: in.Server, Tier: Server, Kind: Kind(in.Cause), State: Active,
		Onset:     Onset{At: in.Onset.At, Early: in.Onset.Early, Late: in.Onset.Late, Earlier: in.Onset.Earlier},
		Confirmed: in.From, Last: in.To, Headline: fmt.Sprintf("%s: %s%s", in.Server, in.Cause, since(Onset(in.Onset))),
	}
	span := Span{From: in.Onset.At}
	if in.To < to-lasting {
		x.State, x.Cleared, span.To = Cleared, in.To, in.To
	}
	x.Spans = []Span{span}
	for _, e := range in.Metrics {
		if c, ok := system.Lookup(e.Component); ok && in.Cause.Decides(e.Metric) {
			x.Members = append(x.Members, Member{Component: c, Role: Role(in.Cause), Odd: x.State == Active, Own: e.Median, Peers: e.Peers, Since: e.From})
		}
		if e.Threshold > 0 {
			x.Worst = max(x.Worst, e.Score/e.Threshold)
		}
		x.Metrics = append(x.Metrics, e.Metric)
		x.Because = append(x.Because, fmt.Sprintf("%s of %s is %s %s, that of its peers %s; score %s, threshold %s",
			e.Metric, e.Component, digits(e.Median), e.Unit, digits(e.Peers), digits(e.Score), digits(e.Threshold)))
	}
	x.Severity = x.Worst
	if in.Next != nil {
		x.Otherwise = fmt.Sprintf("The next best explanation is %s, by %s.", in.Next.Cause, in.Next.Evidence.Metric)
	}
	return x
}
