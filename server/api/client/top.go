package client

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// Top is the view of limpet top on a running server. It holds the values of the newest step of all
// components, which it compares as limpet top does on the machine itself, and the suspects and
// incidents of the server. Values of the past come from the history of the server.
type Top struct {
	client *Client
	model  *top.Model
	opts   top.Options

	mu     sync.Mutex
	system *topology.System
	schema table.Schema
	at     int64 // end of the last row
	past   *top.Frame

	event  int64         // number of the last event that was read
	events []top.Message // messages about incidents, newest last
	pause  int           // number of steps until the server is asked for percentiles again; it had none
}

// NewTop returns the view of a server, without data yet.
func NewTop(c *Client, o top.Options) *Top {
	o.Foreign = true
	return &Top{client: c, model: top.New(o), opts: o}
}

// asksPerStep is the number of requests for a new row during one step.
const asksPerStep = 4

// Follow requests new rows until the context ends. After each answer it sends a value to news,
// unless the channel is full. If the first request fails, Follow returns the error. A later error
// is shown until the server answers again.
func (t *Top) Follow(ctx context.Context, news chan<- struct{}) error {
	for first := true; ; first = false {
		err := t.Ask(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && first:
			return err
		case err != nil:
			t.model.SetLost("no new data since " + t.stamp(t.at) + ": " + err.Error())
		default:
			t.model.SetLost("")
		}
		select {
		case news <- struct{}{}:
		default:
		}
		pause := max(time.Second, time.Duration(t.schema.StepSeconds)*time.Second/asksPerStep)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// Ask requests the newest step, the suspects and the incidents once.
func (t *Top) Ask(ctx context.Context) error {
	if t.system == nil {
		if err := t.learn(ctx); err != nil {
			return err
		}
	}
	row, changed, err := t.row(ctx, 0)
	if err != nil {
		return err
	}
	if changed {
		if err := t.learn(ctx); err != nil {
			return err
		}
		if row, _, err = t.row(ctx, 0); err != nil {
			return err
		}
	}
	if row == nil {
		t.model.SetWaiting("the server has received no data yet")
		return nil
	}
	problems, messages, err := t.problems(ctx)
	if err != nil {
		return err
	}
	if err := t.follow(ctx); err != nil {
		return err
	}
	messages = append(messages, t.events...)
	slices.SortStableFunc(messages, func(a, b top.Message) int { return cmp.Compare(a.Time, b.Time) })
	t.model.Judge(problems, messages)
	if row.End > t.at {
		t.at = row.End
		t.percentiles(ctx)
		t.model.Push(row)
	}
	return nil
}

// mostEvents is the number of events that are kept as messages.
const mostEvents = 200

// changes holds the changes that are shown as a message, with the words that follow the ID of the
// incident.
var changes = map[incident.Change]string{
	incident.Opened: "", incident.Reopened: " was over and has returned", incident.Recovers: " recovers", incident.Clears: " is over",
}

// follow requests the events since the last one, and makes messages from them.
func (t *Top) follow(ctx context.Context) error {
	for {
		var list api.EventList
		query := url.Values{"after": {strconv.FormatInt(t.event, 10)}, "limit": {strconv.Itoa(mostEvents)}}
		if _, err := t.client.Get(ctx, "/events", query, &list); err != nil {
			return err
		}
		switch {
		case list.Last < t.event: // the server has started again with an empty ledger
			t.event, t.events = 0, nil
			continue
		case t.event == 0 && list.Last > mostEvents:
			t.event = list.Last - mostEvents
			continue
		}
		for i := range list.Events {
			t.tell(&list.Events[i])
		}
		if len(list.Events) < mostEvents {
			return nil
		}
	}
}

// tell adds the message for an event, if its change is one of changes.
func (t *Top) tell(e *api.Event) {
	t.event = e.Number
	change, worth := changes[e.Change]
	if !worth {
		return
	}
	text := e.Text
	if e.Incident != nil {
		text = "incident " + e.ID + change + ": " + e.Incident.Headline
	}
	t.events = append(t.events, top.Message{Time: int64(e.Time), ID: e.ID, Text: t.stamp(int64(e.Time)) + " " + text})
	t.events = t.events[max(len(t.events)-mostEvents, 0):]
}

// stamp prints a time for people.
func (t *Top) stamp(at int64) string { return time.Unix(at, 0).In(t.opts.Zone).Format(time.DateTime) }

// askAgain is the number of steps after which a server without percentiles is asked for them again.
const askAgain = 20

// percentiles requests the percentiles of requests. A server has none if it has no histograms, or
// if it is an earlier version.
func (t *Top) percentiles(ctx context.Context) {
	if t.pause > 0 {
		t.pause--
		return
	}
	var lists [3][]float64
	for i, what := range []string{api.P50, api.P99, api.Slowest} {
		var m api.Map
		_, err := t.client.Get(ctx, "/map", url.Values{"what": {what}}, &m)
		if err != nil || !slices.ContainsFunc(m.Values, func(v document.Number) bool { return v > 0 }) {
			t.pause = askAgain
			t.model.Percentiles(nil, nil, nil)
			return
		}
		lists[i] = slices.Repeat([]float64{math.NaN()}, len(t.system.Components))
		for k, name := range m.Components {
			if c, ok := t.system.Lookup(name); ok {
				lists[i][c] = float64(m.Values[k])
			}
		}
	}
	t.model.Percentiles(lists[0], lists[1], lists[2])
}

// learn requests the components and peer groups of the system.
func (t *Top) learn(ctx context.Context) error {
	var groups api.GroupList
	if _, err := t.client.Get(ctx, "/groups", nil, &groups); err != nil {
		return err
	}
	names := map[int]string{}
	for _, g := range groups.Groups {
		names[g.ID] = strconv.Itoa(g.ID) + " " + g.Name
	}
	var listed []topology.Listed
	for after := ""; ; {
		query := url.Values{"limit": {"1000"}}
		if after != "" {
			query.Set("after", after)
		}
		var page api.ComponentList
		if _, err := t.client.Get(ctx, "/components", query, &page); err != nil {
			return err
		}
		for _, c := range page.Components {
			listed = append(listed, topology.Listed{Component: topology.Component{Name: c.Name, Server: c.Server}, Peers: names[c.Group]})
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if len(listed) == 0 {
		t.model.SetWaiting("the server has not yet found any components in its data")
		return nil
	}
	system, _, err := topology.List("server", listed)
	if err != nil {
		return err
	}
	schema := table.Schema{
		StepSeconds: t.step(ctx, listed[0].Name), Components: len(system.Components), Servers: len(system.Servers), Load: 0,
		Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await},
	}
	t.mu.Lock()
	t.system, t.schema = system, schema
	t.mu.Unlock()
	return t.model.Change(system, schema)
}

// step returns the step of the server's rows in seconds.
func (t *Top) step(ctx context.Context, component string) int64 {
	const usual = 15
	var status api.Status
	if _, err := t.client.Get(ctx, "/status", nil, &status); err != nil || status.At == 0 {
		return usual
	}
	s, err := t.series(ctx, component, int64(status.At)-600, int64(status.At), 5000)
	if err != nil || s.StepSeconds <= 0 {
		return usual
	}
	return s.StepSeconds
}

func (t *Top) series(ctx context.Context, component string, from, to int64, points int) (*api.Series, error) {
	s := &api.Series{}
	_, err := t.client.Get(ctx, "/series", url.Values{"component": {component}, "from": {stamp(from)}, "to": {stamp(to)}, "points": {strconv.Itoa(points)}}, s)
	return s, err
}

func stamp(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }

// row requests the values of all components at a Unix time; 0: at the newest step. The result
// changed is true if the server has other components than before. The row is nil if the server has
// no data.
func (t *Top) row(ctx context.Context, at int64) (row *table.Row, changed bool, err error) {
	if t.system == nil {
		return nil, false, nil
	}
	row = table.NewRow(t.schema)
	for i := len(t.schema.Metrics) - 1; i >= 0; i-- {
		query := url.Values{}
		if name := t.schema.Metrics[i].Name; name != metric.Await.Name { // the leading metric is the latency
			query.Set("metric", name)
		}
		if at != 0 {
			query.Set("at", stamp(at))
		}
		var m api.Map
		if _, err := t.client.Get(ctx, "/map", query, &m); err != nil {
			if i == len(t.schema.Metrics)-1 {
				return nil, false, err
			}
			continue // a server that reads tables may not have this metric
		}
		if row.End == 0 {
			row.End, at = int64(m.At), int64(m.At) // the other metrics are read for the same step
		}
		if len(m.Components) != len(t.system.Components) {
			changed = true
		}
		scale := scaleOf(m.Unit, i == len(t.schema.Metrics)-1)
		for k, name := range m.Components {
			c, ok := t.system.Lookup(name)
			if !ok {
				changed = true
				continue
			}
			row.Values[i][c] = float64(m.Values[k]) * scale
		}
	}
	if row.End == 0 {
		return nil, changed, nil
	}
	return row, changed, nil
}

// scaleOf returns the factor that converts a latency in this unit to milliseconds; 1 for other
// metrics.
func scaleOf(unit string, latency bool) float64 {
	if factor, ok := map[string]float64{"s": 1e3, "us": 1e-3, "µs": 1e-3, "ns": 1e-6}[unit]; ok && latency {
		return factor
	}
	return 1
}

// problems requests suspects and incidents. It returns messages only about suspects, because the
// server has no events for suspects.
func (t *Top) problems(ctx context.Context) (list []top.Problem, messages []top.Message, err error) {
	all, _, err := t.client.Incidents(ctx, Query{})
	if err != nil {
		return nil, nil, err
	}
	add := func(in *document.Incident, level top.Level) {
		if in.Harmless || in.Muted {
			return
		}
		p := top.Problem{Level: level, ID: in.ID, Since: int64(in.Spell.At), Sentences: append([]string{in.Headline}, in.Because...)}
		for i := range in.Members {
			if m := &in.Members[i]; m.Role != finding.TookOver && m.Role != finding.AskedMore && !finding.StandsForServer(in.Class, in.Place.Name, m.Component) {
				p.Members = append(p.Members, top.ProblemMember{Name: m.Component, Times: known(m.Times), Gone: m.Role == finding.Gone})
			}
		}
		if level == top.Suspected {
			p.ID = ""
			at := int64(in.Suspected)
			messages = append(messages, top.Message{Time: at, Text: t.stamp(at) + " suspect: " + in.Headline})
		}
		list = append(list, p)
	}
	for i := range all.Suspects {
		add(&all.Suspects[i], top.Suspected)
	}
	for i := range all.Incidents {
		add(&all.Incidents[i].Incident, top.Confirmed)
	}
	return list, messages, nil
}

// known returns the number, or 0 if the number is missing.
func known(n document.Number) float64 {
	if n.IsZero() {
		return 0
	}
	return float64(n)
}

// askFor is the time limit of a request that follows a key press.
const askFor = 5 * time.Second

// Frame returns the frame at a Unix time from the server's history; 0: the newest frame.
func (t *Top) Frame(end int64) *top.Frame {
	newest := t.model.Frame(0)
	if end == 0 || end >= newest.End {
		return newest
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.past != nil && t.past.End == end {
		return t.past
	}
	ctx, stop := context.WithTimeout(context.Background(), askFor)
	defer stop()
	row, _, err := t.row(ctx, end)
	if err == nil && row == nil {
		err = errors.New("the server has no history for this time")
	}
	m := top.New(t.opts)
	if err == nil {
		err = m.Change(t.system, t.schema)
	}
	if err != nil {
		f := *newest
		f.Warnings, f.Messages = []string{err.Error()}, nil
		return &f
	}
	m.Push(row)
	t.past = m.Frame(0)
	t.past.Past = true
	return t.past
}

// Evidence returns the values and sentences about a component up to a Unix time, from the server's
// history.
func (t *Top) Evidence(name string, end int64, steps int) *top.Evidence {
	f := t.Frame(end)
	e := t.model.Evidence(name, 0, 1) // sets the group and the sentences
	for i := range f.Lines {
		if f.Lines[i].Name == name {
			e.Line, e.Group, e.Known = f.Lines[i], f.Groups[f.Lines[i].Group], true
		}
	}
	if !e.Known {
		return e
	}
	if f.Past {
		e.Sentences = nil
	}
	ctx, stop := context.WithTimeout(context.Background(), askFor)
	defer stop()
	from := f.End - int64(steps)*f.StepSeconds
	s, err := t.series(ctx, name, from, f.End, max(steps, 2))
	if err != nil {
		e.Sentences = append(e.Sentences, err.Error())
		return e
	}
	e.Ends, e.Own, e.Low, e.Median, e.High, e.Histograms = nil, nil, nil, nil, nil, nil
	scale := scaleOf(s.Unit, true)
	value := func(list api.Numbers, i int) float64 {
		if i < len(list) && list[i] > 0 {
			return float64(list[i]) * scale
		}
		return math.NaN()
	}
	for i := max(len(s.Values)-steps, 0); i < len(s.Values); i++ {
		e.Ends = append(e.Ends, int64(s.From)+int64(i+1)*s.StepSeconds)
		e.Own = append(e.Own, value(s.Values, i))
		bands := map[float64]float64{}
		for _, b := range s.Peers {
			bands[b.Quantile] = value(b.Values, i)
		}
		e.Low, e.Median, e.High = append(e.Low, orNaN(bands, 0.05)), append(e.Median, orNaN(bands, 0.5)), append(e.High, orNaN(bands, 0.95))
	}
	e.Histograms = t.histograms(ctx, name, from, f.End)
	return e
}

func orNaN(bands map[float64]float64, at float64) float64 {
	if v, ok := bands[at]; ok {
		return v
	}
	return math.NaN()
}

// histograms requests the latencies of a component and of its peers.
func (t *Top) histograms(ctx context.Context, name string, from, to int64) []top.Histogram {
	var l api.Latencies
	if _, err := t.client.Get(ctx, "/latencies", url.Values{"component": {name}, "from": {stamp(from)}, "to": {stamp(to)}}, &l); err != nil || l.Requests == 0 {
		return nil
	}
	h := top.Histogram{Title: "requests, time in the device", Counts: [2]uint64{uint64(l.Requests), uint64(max(l.OfOthers, 0))}}
	shares := func(longer api.Numbers) (list []float64) {
		for i := range l.Bounds {
			v := 0.0
			if i < len(longer) {
				v = float64(longer[i])
			}
			if i+1 < len(longer) {
				v -= float64(longer[i+1])
			}
			list = append(list, max(v, 0))
		}
		return list
	}
	for _, b := range l.Bounds {
		h.Bounds = append(h.Bounds, float64(b))
	}
	h.Own, h.Peers = shares(l.Longer), make([]float64, len(l.Bounds))
	for _, b := range l.Peers {
		if b.Quantile == 0.5 {
			h.Peers = shares(b.Values)
		}
	}
	return []top.Histogram{h}
}
