package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// merged is the present result of all partitions together.
type merged struct {
	engine.Summary
	windows []persistence.Window
	mutes   map[string]int64
	missing []string       // partitions without a view of the present stage
	opened  *sentence.Open // result of merged.open; nil if it was not computed since the last merge
}

// open returns all open incidents and suspects. The list is used to write sentences that advise an
// operator.
func (m *merged) open(system *topology.System) *sentence.Open {
	if m.opened != nil {
		return m.opened
	}
	m.opened = announce.OpenOf(system, &m.Summary)
	return m.opened
}

// If a partition is more than behindSteps steps behind the partition with the newest row, Gather
// reports a trouble. While a partition moves to another worker, it falls behind by fewer steps.
const behindSteps = 20

// readViews reads the views (present results) of all tasks at the interval LookEvery.
func (g *Gather) readViews(ctx context.Context) error {
	tick := time.NewTicker(g.o.LookEvery)
	defer tick.Stop()
	for {
		g.follow(ctx)
		g.refresh(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// refresh reads the views that have changed, and merges all views.
func (g *Gather) refresh(ctx context.Context) {
	changed := false
	for name, p := range g.parts { // without g.mu, because only this goroutine changes g.parts
		err := g.fetch(ctx, name, p)
		changed = changed || err == nil
		if err != nil && !errors.Is(err, errUnchanged) && ctx.Err() == nil {
			g.o.Warn(fmt.Sprintf("the results of %s cannot be read: %v", name, err))
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if changed {
		g.rows++
		g.merge()
		g.tick(ctx)
	}
	g.reportBehind()
	g.checkReceivers()
	g.show()
}

var errUnchanged = errors.New("the partition has no new results")

func (g *Gather) fetch(ctx context.Context, name string, p *part) error {
	mark, err := g.o.Bus.Blobs.Mark(ctx, ViewName(name))
	if errors.Is(err, bus.ErrNone) || err == nil && mark == p.mark {
		return errUnchanged
	}
	if err != nil {
		return err
	}
	data, err := g.o.Bus.Blobs.Get(ctx, ViewName(name))
	if err != nil {
		return err
	}
	p.mark = mark // note this version of the view before the checks, so that an invalid view is reported only once
	shown, err := Decode[View](data)
	if err != nil {
		return err
	}
	if shown.Version > viewVersion {
		return fmt.Errorf("a newer version of limpet wrote the results (format %d; this version reads format %d): upgrade this node", shown.Version, viewVersion)
	}
	stage, err := g.o.Stages.StageOf(ctx, shown.Generation)
	if err == nil {
		err = shown.check(stage, g.o.Now())
	}
	if err != nil {
		return err
	}
	p.shown = &shown
	return nil
}

// merge merges the views of all tasks, in the order of the names of the tasks. It leaves out a view
// that does not belong to the present stage (version of the plan). It passes the windows in the
// views to the announcer, which stores them.
func (g *Gather) merge() {
	m := merged{mutes: map[string]int64{}}
	for _, name := range slices.Sorted(maps.Keys(g.parts)) {
		s := g.parts[name].shown
		switch {
		case s != nil && s.Generation == g.stage.Generation:
			m.add(s)
		case name != CommonTask && len(g.stage.Find(name).Servers) > 0:
			m.missing = append(m.missing, name)
		}
	}
	slices.SortStableFunc(m.Suspects, func(a, b engine.Suspect) int { return cmp.Compare(b.Severity, a.Severity) })
	byValue := func(a, b persistence.Entry) int {
		return cmp.Or(b.Value-a.Value, a.Component-b.Component, a.Metric-b.Metric)
	}
	slices.SortFunc(m.Top, byValue)
	slices.SortFunc(m.Accumulators, byValue)
	m.Top = m.Top[:min(len(m.Top), g.announcer.Subject.Options.Top)]
	slices.SortFunc(m.windows, func(a, b persistence.Window) int { return cmp.Or(a.Group-b.Group, a.Metric-b.Metric) })
	for i := range m.windows {
		g.announcer.Window(&m.windows[i])
	}
	g.merged = m
}

func (m *merged) add(s *View) {
	of := &s.Summary
	m.Incidents, m.Suspects = append(m.Incidents, of.Incidents...), append(m.Suspects, of.Suspects...)
	m.Top, m.Accumulators = append(m.Top, of.Top...), append(m.Accumulators, of.Accumulators...)
	m.Silent, m.Idle, m.Skews = append(m.Silent, of.Silent...), append(m.Idle, of.Idle...), append(m.Skews, of.Skews...)
	for _, l := range of.Lacks {
		if !slices.Contains(m.Lacks, l) {
			m.Lacks = append(m.Lacks, l)
		}
	}
	for _, u := range of.Unlike {
		if !slices.Contains(m.Unlike, u) {
			m.Unlike = append(m.Unlike, u)
		}
	}
	if of.From > 0 && (m.From == 0 || of.From < m.From) {
		m.From = of.From
	}
	m.To, m.Heard, m.Examined = max(m.To, of.To), m.Heard+of.Heard, m.Examined+of.Examined
	m.windows = append(m.windows, s.Windows...)
	maps.Copy(m.mutes, s.Mutes)
}

// reportBehind reports a trouble if partitions are more than behindSteps steps behind the newest
// row.
func (g *Gather) reportBehind() {
	if g.stage == nil {
		return
	}
	var late []string
	for _, name := range g.stage.Names() {
		if s := g.parts[name].shown; s != nil && len(g.stage.Find(name).Servers) > 0 && g.merged.To-s.Row > behindSteps*g.announcer.Subject.Schema.StepSeconds {
			late = append(late, name)
		}
	}
	var err error
	if len(late) > 0 {
		err = fmt.Errorf("the diagnosis of %d of %d partitions is more than %d time steps behind the other partitions (the first is %s): check whether all nodes with the roles ingest and worker are running", len(late), len(g.stage.Names()), behindSteps, late[0])
	}
	g.store.Troubles.Check("partitions", err)
}

// show makes the watch.Result that Gather.Result returns from now on. The caller must hold g.mu, or
// be the only user of the Gather.
func (g *Gather) show() {
	g.store.CheckGaps()
	var progress activity.Progress
	if g.o.Progress != nil {
		progress = g.o.Progress()
		g.store.Troubles.Set("interval", progress.Coarse)
	}
	s := &watch.Result{
		StateDir: g.o.StateDir, Windows: g.merged.windows, Event: g.store.Ledger.LastEvent(), Opened: g.store.Opened, Rows: g.rows, Made: g.o.Now(),
		Mutes: maps.Clone(g.merged.mutes), Causes: maps.Clone(g.store.Causes), Muted: maps.Clone(g.store.Muted), Troubles: g.store.Troubles.All(),
		Progress: progress,
	}
	s.Waiting = g.waiting()
	s.Subject, s.Verdict = watch.NothingYet(&g.o.Terms.Diagnose, 1, g.o.Version), s.Waiting
	if g.announcer != nil {
		sum := g.merged.Summary
		sum.Incidents, sum.Suspects = slices.Clone(sum.Incidents), slices.Clone(sum.Suspects)
		s.Subject, s.Result = g.announcer.Subject, g.announcer.Memory.At(report.Summary{Summary: sum})
	}
	g.result.Store(s)
}

// waiting returns the reason why the result is incomplete. It returns an empty text if the result
// is complete.
func (g *Gather) waiting() string {
	switch {
	case g.stage == nil:
		return "no node of the cluster has read any data yet"
	case len(g.merged.missing) > 0 || g.merged.To == 0:
		return fmt.Sprintf("the diagnosis has results of %d of %d partitions", len(g.stage.Names())-max(len(g.merged.missing), 1), len(g.stage.Names()))
	}
	return ""
}
