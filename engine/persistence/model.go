package persistence

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/topology"
)

// Model holds trained thresholds by group, metric and component. To train a threshold, limpet finds
// the smallest threshold with which the training data cause no alarm, and multiplies it by
// TrainFactor. Only the threshold of congestion windows is not multiplied (F10 §10.1, L13 §4.2.1).
type Model struct {
	Options Options        `json:"options"`
	Groups  []TrainedGroup `json:"groups"`
}

// TrainedGroup holds the thresholds of one peer group and metric.
type TrainedGroup struct {
	Group      string             `json:"group"`
	Metric     string             `json:"metric"`
	Windows    int                `json:"windows"` // number of windows in training
	Typical    float64            `json:"typical"` // median of all scores
	Median     float64            `json:"median"`  // median of the thresholds, for components that are new since the training
	Thresholds map[string]float64 `json:"thresholds"`
}

// settings returns the options on which scores and thresholds depend. If TrainStep is above 0
// (F10), K is one of these options. If TrainStep is 0, thresholds are trained as in L13 and do not
// depend on K.
func (o *Options) settings() map[string]any {
	s := map[string]any{
		"measure": o.Measure, "step": o.StepSeconds, "moving average": o.Smooth, "window": o.WinSize,
		"window shift": o.WinShift, "bins": o.MaxBins, "domain": o.Domain, "literal": o.Literal,
		"moving average of cwnd": o.CwndSmooth, "training step": o.TrainStep, "share of the average of cwnd": o.CwndFullShare,
		"share of steps": o.MinStepsShare, "share of peers at zero": o.ZeroPeersShare, "share of the largest score": o.TrainCapShare,
	}
	if o.TrainStep > 0 {
		s["k"] = o.K
	}
	return s
}

// checkSettings returns an error if the model was trained with other settings than o.
func (m *Model) checkSettings(o *Options) error {
	have, want := m.Options.settings(), o.settings()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if have[name] != want[name] {
			return fmt.Errorf("the model was trained with other settings (%s was %v and is now %v): train the model again, or use the same settings", name, have[name], want[name])
		}
	}
	return nil
}

func (m *Model) find(group, metric string) *TrainedGroup {
	if m == nil {
		return nil
	}
	i := slices.IndexFunc(m.Groups, func(t TrainedGroup) bool { return t.Group == group && t.Metric == metric })
	if i < 0 {
		return nil
	}
	return &m.Groups[i]
}

// testOf returns a test that compares the members of a group with their trained
// thresholds.
func (m *Model) testOf(system *topology.System, g *group) anomalyTest {
	t := m.find(system.Groups[g.index].Name, g.lane.metric.Name)
	if t == nil {
		return &trained{}
	}
	j := &trained{}
	for _, c := range g.members {
		threshold, ok := t.Thresholds[system.Components[c].Name]
		if !ok {
			threshold = t.Median
		}
		j.thresholds = append(j.thresholds, threshold)
	}
	return j
}

// Untrained returns warnings for components and groups without thresholds in the model.
func (m *Model) Untrained(system *topology.System, metrics []string) []topology.Warning {
	var warnings []topology.Warning
	for _, name := range metrics {
		of, _ := metric.Lookup(name) // if Lookup does not know the metric, the metric comes from a table; the subject is then SubjectDevice, as for all metrics of tables
		for i := range system.Groups {
			g := &system.Groups[i]
			if subject(system, g) != of.Subject {
				continue
			}
			if text := m.warnUntrained(system, g, name); text != "" {
				warnings = append(warnings, topology.Warning{Text: text})
			}
		}
	}
	return warnings
}

// warnUntrained returns a warning if the model has no thresholds for a group or for some of its
// members. Otherwise it returns "".
func (m *Model) warnUntrained(system *topology.System, g *topology.PeerGroup, metric string) string {
	t := m.find(g.Name, metric)
	if t == nil {
		return fmt.Sprintf("peer group %d (%s) is not judged by metric %s: the model has no thresholds for this group; train the model on data with this group", g.ID, g.Name, metric)
	}
	var unseen []string
	for _, c := range g.Members {
		name := system.Components[c].Name
		if _, ok := t.Thresholds[name]; !ok {
			unseen = append(unseen, name)
		}
	}
	if len(unseen) == 0 {
		return ""
	}
	return fmt.Sprintf("peer group %d (%s): the model has no threshold of %[5]s for %[3]d of %[4]d components (%[6]s), so limpet uses the median threshold of the group for these components; train the model again on data with these components",
		g.ID, g.Name, len(unseen), len(g.Members), metric, topology.Fold(unseen))
}

// trained is an anomalyTest: it compares scores with the thresholds of a model. All members of the
// group take part, even members without data.
type trained struct {
	thresholds []float64
}

func (*trained) takesPart(*group, int) bool { return true }

func (t *trained) decide(g *group, w *Window) {
	switch {
	case t.thresholds == nil:
		setAll(w, Unjudged, Untrained)
		return
	case g.idle:
		setAll(w, Unjudged, GroupIdle)
		return
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		v.Threshold = t.thresholds[i]
		switch {
		case g.observations[i].silent:
			v.State, v.Reason = Unjudged, ServerSilent
		case !g.observations[i].scored:
			v.State, v.Reason = Unjudged, TooFewData
		case v.Score > v.Threshold && g.observations[i].samples == 0:
			v.State, v.Reason = Anomalous, Gone
		case v.Score > v.Threshold:
			v.State, v.Reason = Anomalous, Differs
		}
	}
}
