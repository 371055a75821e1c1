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

// How many of each are shown at most.
const (
	mostScores    = 100
	mostTop       = 20 // of the list
	mostIncidents = 200
	mostSources   = 100
	mostGroups    = 200
	mostTroubles  = 50
	mostReceivers = 50
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// The metrics that follow from how things stand.
var (
	descBuild     = describe("limpet_build_info", "Version of this limpet, and of the Go compiler that built it.", "version", "goversion")
	descActive    = describe("limpet_incident_active", "Active incidents: the component that limps (component), the problem (kind), and the part to repair (cause: drive, LUN, server, …).", "group", "component", "kind", "cause")
	descInfo      = describe("limpet_incident_info", "The component, kind and cause of an active incident by its ID, and the address of its page.", "incident", "component", "kind", "cause", "url")
	descTimes     = describe("limpet_incident_times_slower", "How many times slower than its peers the component of an active incident has been since the start of the incident.", "incident", "component", "kind", "cause")
	descIncidents = describe("limpet_incidents_total", "Number of incidents that were opened.")
	descSuspects  = describe("limpet_suspects", "Number of suspects: problems that are not incidents yet.")
	descScore     = describe("limpet_component_score", "Score in the last window: how much a component differs from its peers. Only for the components with the largest scores and for components of active incidents.", "group", "component", "metric")
	descWindow    = describe("limpet_window_last_success_timestamp_seconds", "End of the last window that was compared, as Unix time in seconds.")
	descRow       = describe("limpet_last_row_timestamp_seconds", "Time of the last complete time step, as Unix time in seconds.")
	descSamples   = describe("limpet_samples_read_total", "Number of samples that were read.", "source")
	descDropped   = describe("limpet_samples_dropped_total", "Number of samples that were read but not used.", "source")
	descLag       = describe("limpet_source_lag_seconds", "Time from the last sample of a source to the newest sample of all sources, in seconds.", "source")
	descLive      = describe("limpet_source_live", "1 if the data of a source are up to date, else 0.", "source")
	descGroup     = describe("limpet_peer_group_size", "Number of components of a peer group.", "group")
	descTrouble   = describe("limpet_troubles", "Problems of the server itself; /api/v1/status describes these problems.", "kind")
	descQueued    = describe("limpet_notifications_queued", "Number of notifications that a receiver of alerts has not acknowledged.", "receiver")
	descBehind    = describe("limpet_notifications_behind_seconds", "Time between the row that caused the oldest notification that a receiver has not acknowledged and the last row, in seconds; 0 if the receiver has all.", "receiver")
	descDelivers  = describe("limpet_receiver_delivered_here", "1 if this server delivers to a receiver of alerts, 0 if another node of the cluster does.", "receiver")
	descActions   = describe("limpet_actions", "Number of actions that are not over, by state.", "state")
	descStopped   = describe("limpet_actions_stopped", "1 if an operator has stopped all actions, else 0.")
	descReady     = describe("limpet_ready", "1 if the server is ready (it has read all older data), else 0.")
	descLeftOut   = describe("limpet_metrics_left_out", "Number of series that this page leaves out because there are too many series.", "of")
)

// standing collects what follows from how things stand.
type standing struct {
	now  func() *api.Standing
	link func(id string) string
}

// Describe names nothing: which series there are depends on how things stand.
func (*standing) Describe(ch chan<- *prometheus.Desc) { ch <- descBuild }

// Collect shows how things stand.
func (c *standing) Collect(ch chan<- prometheus.Metric) {
	s := c.now()
	g := &gauges{ch: ch, standing: s, link: c.link}
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

// gauges writes samples.
type gauges struct {
	ch       chan<- prometheus.Metric
	standing *api.Standing
	link     func(id string) string
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

// leaves says how many series of a kind are left out.
func (g *gauges) leaves(of string, n int) { g.gauge(descLeftOut, float64(max(n, 0)), of) }

// group names a peer group. Two may have one name.
func (g *gauges) group(id int) string {
	groups := g.standing.Subject.System.Groups
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

// series counts in labels that may come twice.
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
	for i := range g.standing.Incidents {
		in := &g.standing.Incidents[i]
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

// page is the address of the page that tells of an incident, where there is one.
func (g *gauges) page(in *incident.Incident) string {
	if g.link == nil {
		return ""
	}
	return g.link(in.ID)
}

// groupOf is the peer group of an incident's worst member.
func (g *gauges) groupOf(in *incident.Incident) int {
	if len(in.Members) == 0 {
		return 0
	}
	return g.standing.Subject.System.Components[in.Members[0].Component].Group
}

// scores shows those of the top of the list and of active incidents' members.
func (g *gauges) scores() {
	system := g.standing.Subject.System
	shown := make([]bool, len(system.Components))
	for _, e := range g.standing.Top[:min(len(g.standing.Top), mostTop)] {
		shown[e.Component] = true
	}
	for i := range g.standing.Incidents {
		if in := &g.standing.Incidents[i]; in.Phase == incident.Active {
			for _, m := range in.Members {
				shown[m.Component] = true
			}
		}
	}
	last, n := int64(0), 0
	for i := range g.standing.Windows {
		w := &g.standing.Windows[i]
		last = max(last, w.End)
		for i := range w.Verdicts {
			v := &w.Verdicts[i]
			if !shown[v.Component] {
				continue
			}
			if n++; n <= mostScores {
				c := &system.Components[v.Component]
				g.gauge(descScore, v.Score, g.group(c.Group), c.Name, g.standing.Subject.Schema.Metrics[w.Metric].Name)
			}
		}
	}
	if last > 0 {
		g.gauge(descWindow, float64(last))
	}
	g.leaves("scores", n-mostScores)
}

func (g *gauges) sources() {
	for i := range g.standing.Sources[:min(len(g.standing.Sources), mostSources)] {
		s := &g.standing.Sources[i]
		g.counter(descSamples, float64(s.Samples), s.Name)
		g.counter(descDropped, float64(s.Dropped), s.Name)
		g.gauge(descLive, is(s.State == api.SourceLive), s.Name)
		if !s.LagSeconds.IsZero() {
			g.gauge(descLag, float64(s.LagSeconds), s.Name)
		}
	}
	g.leaves("sources", len(g.standing.Sources)-mostSources)
}

// groups shows the smallest, which are those that cannot be judged well.
func (g *gauges) groups() {
	groups := slices.Clone(g.standing.Subject.System.Groups)
	slices.SortStableFunc(groups, func(a, b topology.PeerGroup) int { return cmp.Compare(len(a.Members), len(b.Members)) })
	for i := range groups[:min(len(groups), mostGroups)] {
		g.gauge(descGroup, float64(len(groups[i].Members)), g.group(groups[i].ID))
	}
	g.leaves("peer groups", len(groups)-mostGroups)
}

// actions shows every state, so that a series does not vanish when its last action ends.
func (g *gauges) actions() {
	if g.standing.Actions == nil {
		return
	}
	for _, s := range action.States() {
		if !s.IsFinal() {
			g.gauge(descActions, float64(g.standing.Actions[string(s)]), string(s))
		}
	}
	g.gauge(descStopped, is(g.standing.ActionsStopped))
}

func (g *gauges) receivers() {
	for i := range g.standing.Receivers[:min(len(g.standing.Receivers), mostReceivers)] {
		r := &g.standing.Receivers[i]
		behind := int64(0)
		if r.Queued > 0 {
			behind = max(0, g.standing.To-int64(r.Oldest))
		}
		g.gauge(descQueued, float64(r.Queued), r.Name)
		g.gauge(descBehind, float64(behind), r.Name)
		g.gauge(descDelivers, is(r.Here), r.Name)
	}
	g.leaves("receivers", len(g.standing.Receivers)-mostReceivers)
}

func (g *gauges) troubles() {
	var list []series
	for _, t := range g.standing.Troubles {
		if len(list) < mostTroubles {
			list = add(list, 1, t.Kind)
		}
	}
	for _, s := range list {
		g.gauge(descTrouble, s.value, s.labels...)
	}
}
