package finding

import (
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
)

// TestTake: the window with the greatest ratio to its threshold is kept, with the times
// of all windows. Of equal ratios the greater score is kept.
func TestTake(t *testing.T) {
	var e Evidence
	for i, tt := range []struct {
		score, threshold float64
		kept             bool
	}{{2, 1, true}, {3, 2, false}, {6, 2, true}, {3, 1, false}, {9, 3, true}, {1, 0, true}, {2, 0, true}, {0.5, 0, false}} {
		seen := Evidence{Metric: "await", Score: tt.score, Threshold: tt.threshold, From: int64(100 - i), To: int64(200 + i)}
		if got := e.KeepStronger(seen); got != tt.kept || got && e.Score != tt.score || e.From != int64(100-i) || e.To != int64(200+i) {
			t.Errorf("%g of %g is kept: %t, then %+v", tt.score, tt.threshold, got, e)
		}
	}
}

// TestAtServer: deciding evidence comes first, and a component with two metrics is one
// member with the numbers of the stronger one.
func TestAtServer(t *testing.T) {
	shows := func(metric string, component int, score float64, from int64, decides, odd bool) Suspicion {
		return Suspicion{
			Evidence: Evidence{Metric: metric, Component: component, Decides: decides, Own: score, Score: score, Threshold: 1, From: from},
			Onset:    Onset{At: from + 7}, Anomalous: odd, Windows: 4,
		}
	}
	f := ServerFinding("ios1", NetworkHog, []Suspicion{
		shows("await", 1, 9, 10, false, true), shows("rxbyt", 5, 2, 40, true, true), shows("txbyt", 5, 3, 50, true, false), shows("txbyt", 6, 2, 40, true, false),
	})
	var names []string
	for _, e := range f.Evidence {
		names = append(names, e.Metric)
	}
	if got := strings.Join(names, " "); got != "rxbyt txbyt txbyt await" {
		t.Errorf("evidence: %s", got)
	}
	want := []Member{
		{Component: 5, Role: AtFault, Odd: true, Windows: 4, Worst: 3, Own: 3, Since: 40},
		{Component: 6, Role: AtFault, Windows: 4, Worst: 2, Own: 2, Since: 40},
	}
	if !reflect.DeepEqual(f.Members, want) {
		t.Errorf("members %+v, want %+v", f.Members, want)
	}
	if f.Onset.At != 47 || f.Class != Resource || f.Kind != NetworkHog || !f.Certain || f.Place != (blame.Place{Tier: blame.Server, Name: "ios1"}) {
		t.Errorf("%+v", f)
	}
}

func TestNotHeld(t *testing.T) {
	for _, tt := range []struct {
		score float64
		doubt Doubt
		want  Reason
	}{{0.9, NoDoubt, Below}, {1, NoDoubt, Passed}, {2, NoBusier, Doubted}} {
		got := RuleOut(DiskBusy, Evidence{Metric: "await", Score: tt.score, Threshold: 1}, tt.doubt)
		if got.Reason != tt.want || got.Doubt != tt.doubt || got.Kind != DiskBusy || got.Evidence.Score != tt.score {
			t.Errorf("%+v, want %s", got, tt.want)
		}
	}
}

// TestNext: a kind that the server is suspect of comes before a stronger one. The chosen
// kind, and kinds without a measurement, are no candidates.
func TestNext(t *testing.T) {
	measured := func(kind Kind, strength float64, held bool, doubt Doubt) Candidate {
		return Candidate{Kind: kind, Evidence: Evidence{Metric: "m", Score: strength, Threshold: 1}, Doubt: doubt, Strength: strength, Held: held}
	}
	chosen, strong := measured(DiskBusy, 9, true, NoDoubt), measured(PacketLoss, 5, false, InBursts)
	for want, all := range map[RuledOut][]Candidate{
		{}: {chosen, {Kind: DiskHog, Strength: 9}},
		{Kind: PacketLoss, Reason: Doubted, Doubt: InBursts}: {chosen, measured(NetworkHog, 2, false, NoDoubt), strong},
		{Kind: NetworkHog, Reason: Outweighed}:               {strong, measured(NetworkHog, 2, true, NoDoubt), chosen},
		{Kind: NetworkHog, Reason: Below}:                    {measured(NetworkHog, 0.5, false, NoDoubt), chosen},
	} {
		got := NextCandidate(DiskBusy, all, Outweighed)
		if got == nil {
			got = &RuledOut{}
		}
		if got.Kind != want.Kind || got.Reason != want.Reason || got.Doubt != want.Doubt {
			t.Errorf("%+v, want %+v", *got, want)
		}
	}
}

// TestImbalance: a server with more load than its peers is reported as such, and as
// harmless.
func TestImbalance(t *testing.T) {
	for kind, class := range map[Kind]Class{WorkloadImbalance: Imbalance, DiskBusy: Resource} {
		f := ServerFinding("ios1", kind, nil)
		if f.Class != class || !f.Class.IsAboutServer() || !f.Class.Judged() || f.Class.Harmless() != (class == Imbalance) {
			t.Errorf("%s: %+v", kind, f)
		}
	}
	if Slow.IsAboutServer() || Slow.Harmless() {
		t.Error("a slow drive is taken for a server")
	}
}
