package handler

import (
	"cmp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// Largest number of series of each kind.
const (
	mostScores    = 100
	mostTop       = 20 // components at the top of the list whose scores are shown
	mostIncidents = 200
	mostSources   = 100
	mostGroups    = 200
	mostTroubles  = 50
	mostReceivers = 50
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// The metrics that are computed from the result of the diagnosis.
var (
	descBuild     = describe("limpet_build_info", "Version of this limpet, and of the Go compiler that built it.", "version", "goversion")
	descActive    = describe("limpet_incident_active", "Active incidents: the component that limps (component), the problem (kind), and the part to repair (cause: drive, LUN, server, …).", "group", "component", "kind", "cause")
	descInfo      = describe("limpet_incident_info", "Always 1 for each active incident. The labels are its ID, its component, its kind, its cause, and the address of its page.", "incident", "component", "kind", "cause", "url")
	descTimes     = describe("limpet_incident_times_slower", "For each active incident: how many times slower than its peers the component is, measured since the start of the incident.", "incident", "component", "kind", "cause")
	descIncidents = describe("limpet_incidents_total", "Number of incidents that were opened.")
	descSuspects  = describe("limpet_suspects", "Number of suspects: problems that are not incidents yet.")
	descScore     = describe("limpet_component_score", "Score in the last window: how much a component differs from its peers. Only for the components with the largest scores and for components of active incidents.", "group", "component", "metric")
	descWindow    = describe("limpet_window_last_success_timestamp_seconds", "End of the last window that was compared, as Unix time in seconds.")
	descRow       = describe("limpet_last_row_timestamp_seconds", "Time of the last complete time step, as Unix time in seconds.")
	descSamples   = describe("limpet_samples_read_total", "Number of samples that were read.", "source")
	descDropped   = describe("limpet_samples_dropped_total", "Number of samples that were read but not used.", "source")
	descLag       = describe("limpet_source_lag_seconds", "Age of the last sample of a source, in seconds: the time from this sample until now.", "source")
	descLive      = describe("limpet_source_live", "1 if the data of a source are up to date, else 0.", "source")
	descGroup     = describe("limpet_peer_group_size", "Number of components of a peer group.", "group")
	descTrouble   = describe("limpet_troubles", "Problems of the server itself; /api/v1/status describes these problems.", "kind")
	descQueued    = describe("limpet_notifications_queued", "Number of notifications that a receiver of alerts has not acknowledged.", "receiver")
	descBehind    = describe("limpet_notifications_behind_seconds", "Age of the oldest notification that a receiver has not acknowledged, in seconds of data time; 0 if the receiver has acknowledged all notifications.", "receiver")
	descDelivers  = describe("limpet_receiver_delivered_here", "1 if this server delivers to a receiver of alerts, 0 if another node of the cluster does.", "receiver")
	descActions   = describe("limpet_actions", "Number of actions that are not over, by state.", "state")
	descStopped   = describe("limpet_actions_stopped", "1 if an operator has stopped all actions, else 0.")
	descReady     = describe("limpet_ready", "1 if the server is ready (it has read all older data), else 0.")
	descLeftOut   = describe("limpet_metrics_left_out", "Number of series that this page leaves out because there are too many series.", "of")
)

// resultCollector collects the metrics that are computed from the result of the diagnosis.
type resultCollector struct {
	now  func() *api.Result
	link func(id string) string
}

// Describe sends only one description: the other series depend on the result of the diagnosis.
func (*resultCollector) Describe(ch chan<- *prometheus.Desc) { ch <- descBuild }

// Collect sends the metrics of the result of the diagnosis.
func (c *resultCollector) Collect(ch chan<- prometheus.Metric) {
	s := c.now()
	g := &gauges{ch: ch, result: s, link: c.link}
	g.gauge(descBuild, 1, s.Subject.Version, runtime.Version())
	g.gauge(descReady, is(s.Waiting == ""))
	g.gauge(descSuspects, float64(len(s.Suspects)))
	g.counter(descIncidents, float64(s.Opened))
	if s.To > 0 {
		g.gauge(descRow, float64(s.To))
	}
	g.incidents()
	g.scores()
	g.sources()
	g.groups()
	g.troubles()
	g.receivers()
	g.actions()
}

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// gauges sends the samples of one result.
type gauges struct {
	ch     chan<- prometheus.Metric
	result *api.Result
	link   func(id string) string
}

func (g *gauges) sample(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels []string) {
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "�")
	}
	m, err := prometheus.NewConstMetric(d, kind, v, labels...)
	if err != nil {
		m = prometheus.NewInvalidMetric(d, err)
	}
	g.ch <- m
}

func (g *gauges) gauge(d *prometheus.Desc, v float64, labels ...string) {
	g.sample(d, prometheus.GaugeValue, v, labels)
}

func (g *gauges) counter(d *prometheus.Desc, v float64, labels ...string) {
	g.sample(d, prometheus.CounterValue, v, labels)
}

// leaves exports how many series of a kind are left out.
func (g *gauges) leaves(of string, n int) { g.gauge(descLeftOut, float64(max(n, 0)), of) }

// group returns the name of a peer group. If two groups have the same name, it adds the ID.
func (g *gauges) group(id int) string {
	groups := g.result.Subject.System.Groups
	if id < 1 || id > len(groups) {
		return ""
	}
	name := groups[id-1].Name
	same := func(o topology.PeerGroup) bool { return o.Name == name && o.ID != id }
	if name == "" || slices.ContainsFunc(groups, same) {
		return strings.TrimSpace(name + " " + strconv.Itoa(id))
	}
	return name
}

// series is a value with its labels. Values with the same labels are added up.
type series struct {
	labels []string
	value  float64
}

func add(list []series, v float64, labels ...string) []series {
	at := slices.IndexFunc(list, func(s series) bool { return slices.Equal(s.labels, labels) })
	if at >= 0 {
		list[at].value += v
		return list
	}
	return append(list, series{labels, v})
}

func (g *gauges) incidents() {
	var list, pages, times []series
	left := 0
	for i := range g.result.Incidents {
		in := &g.result.Incidents[i]
		switch {
		case in.Phase != incident.Active || in.Harmless() || in.Muted:
		case len(list) == mostIncidents:
			left++
		default:
			pages = add(pages, 1, in.ID, in.Place.Name, string(in.Kind), string(in.Place.Tier), g.page(in))
			if e := in.Effect(); e.Times > 0 {
				times = add(times, e.Times, in.ID, in.Place.Name, string(in.Kind), string(in.Place.Tier))
			}
			list = add(list, 1, g.group(g.groupOf(in)), in.Place.Name, string(in.Kind), string(in.Place.Tier))
		}
	}
	for _, s := range list {
		g.gauge(descActive, s.value, s.labels...)
	}
	for _, s := range pages {
		g.gauge(descInfo, 1, s.labels...)
	}
	for _, s := range times {
		g.gauge(descTimes, s.value, s.labels...)
	}
	g.leaves("incidents", left)
}

// page returns the address of the page of an incident; empty: there is no page.
func (g *gauges) page(in *incident.Incident) string {
	if g.link == nil {
		return ""
	}
	return g.link(in.ID)
}

// groupOf returns the ID of the peer group of an incident's worst member.
func (g *gauges) groupOf(in *incident.Incident) int {
	if len(in.Members) == 0 {
		return 0
	}
	return g.result.Subject.System.Components[in.Members[0].Component].Group
}

// scores exports the scores of components at the top of the list and of members of active
// incidents.
func (g *gauges) scores() {
	system := g.result.Subject.System
	shown := make([]bool, len(system.Components))
	for _, e := range g.result.Top[:min(len(g.result.Top), mostTop)] {
		shown[e.Component] = true
	}
	for i := range g.result.Incidents {
		if in := &g.result.Incidents[i]; in.Phase == incident.Active {
			for _, m := range in.Members {
				shown[m.Component] = true
			}
		}
	}
	last, n := int64(0), 0
	for i := range g.result.Windows {
		w := &g.result.Windows[i]
		last = max(last, w.End)
		for i := range w.Verdicts {
			v := &w.Verdicts[i]
			if !shown[v.Component] {
				continue
			}
			if n++; n <= mostScores {
				c := &system.Components[v.Component]
				g.gauge(descScore, v.Score, g.group(c.Group), c.Name, g.result.Subject.Schema.Metrics[w.Metric].Name)
			}
		}
	}
	if last > 0 {
		g.gauge(descWindow, float64(last))
	}
	g.leaves("scores", n-mostScores)
}

func (g *gauges) sources() {
	for i := range g.result.Sources[:min(len(g.result.Sources), mostSources)] {
		s := &g.result.Sources[i]
		g.counter(descSamples, float64(s.Samples), s.Name)
		g.counter(descDropped, float64(s.Dropped), s.Name)
		g.gauge(descLive, is(s.State == api.SourceLive), s.Name)
		if !s.LagSeconds.IsZero() {
			g.gauge(descLag, float64(s.LagSeconds), s.Name)
		}
	}
	g.leaves("sources", len(g.result.Sources)-mostSources)
}

// groups exports the sizes of the smallest groups, because small groups cannot be judged well.
func (g *gauges) groups() {
	groups := slices.Clone(g.result.Subject.System.Groups)
	slices.SortStableFunc(groups, func(a, b topology.PeerGroup) int { return cmp.Compare(len(a.Members), len(b.Members)) })
	for i := range groups[:min(len(groups), mostGroups)] {
		g.gauge(descGroup, float64(len(groups[i].Members)), g.group(groups[i].ID))
	}
	g.leaves("peer groups", len(groups)-mostGroups)
}

// actions exports every state, so that a series does not vanish when its last action ends.
func (g *gauges) actions() {
	if g.result.Actions == nil {
		return
	}
	for _, s := range action.States() {
		if !s.IsFinal() {
			g.gauge(descActions, float64(g.result.Actions[string(s)]), string(s))
		}
	}
	g.gauge(descStopped, is(g.result.ActionsStopped))
}

func (g *gauges) receivers() {
	for i := range g.result.Receivers[:min(len(g.result.Receivers), mostReceivers)] {
		r := &g.result.Receivers[i]
		behind := int64(0)
		if r.Queued > 0 {
			behind = max(0, g.result.To-int64(r.Oldest))
		}
		g.gauge(descQueued, float64(r.Queued), r.Name)
		g.gauge(descBehind, float64(behind), r.Name)
		g.gauge(descDelivers, is(r.Here), r.Name)
	}
	g.leaves("receivers", len(g.result.Receivers)-mostReceivers)
}

func (g *gauges) troubles() {
	var list []series
	for _, t := range g.result.Troubles {
		if len(list) < mostTroubles {
			list = add(list, 1, t.Kind)
		}
	}
	for _, s := range list {
		g.gauge(descTrouble, s.value, s.labels...)
	}
}
