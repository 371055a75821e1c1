package activity

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// A choice is the set of metrics that rows have (chosen metrics). Other metrics are not decoded.
type choice struct {
	disks, nics                  []column
	serverMetrics, clientMetrics []column // metrics of hosts: serverMetrics are measured by servers, and clientMetrics by clients
}

// column is another name of hostColumn. It is used for metrics of disks and
// interfaces too.
type column = hostColumn

// connections reports whether a metric of connections is chosen.
func (c *choice) connections() bool { return len(c.serverMetrics)+len(c.clientMetrics) > 0 }

// ChooseMetrics sets the metrics of the rows. It adds the metric tps even if tps is not among the
// given names, because tps shows which devices are busy.
func (a *plan) ChooseMetrics(names []string) error {
	for _, m := range metric.All() {
		if m == metric.TPS || slices.Contains(names, m.Name) {
			a.choice.add(m, len(a.Schema.Metrics))
			a.Schema.Metrics = append(a.Schema.Metrics, m)
		}
	}
	for _, name := range names {
		if _, err := metric.Lookup(name); err != nil {
			return err
		}
	}
	a.Schema.Load = metric.Index(a.Schema.Metrics, metric.TPS.Name)
	return nil
}

func (c *choice) add(m metric.Metric, row int) {
	switch m.Subject {
	case metric.SubjectDevice:
		c.disks = append(c.disks, column{Row: row, Place: metric.Index(metric.Device(), m.Name)})
	case metric.SubjectInterface:
		c.nics = append(c.nics, column{Row: row, Place: metric.Index(metric.Interface(), m.Name)})
	case metric.SubjectHost:
		c.addHosts(m, row)
	}
}

func (c *choice) addHosts(m metric.Metric, row int) {
	out := []metric.Metric{
		cwnd: metric.CwndOut, retransmitted: metric.RetrOut, delivered: metric.DlvOut,
		weightedCwnd: metric.WCwndOut, shrink: metric.ShrinkOut, fromServers: metric.RxSrv, toServers: metric.TxSrv,
	}
	in := []metric.Metric{
		cwnd: metric.CwndIn, retransmitted: metric.RetrIn, delivered: metric.DlvIn,
		weightedCwnd: metric.WCwndIn, shrink: metric.ShrinkIn,
	}
	if place := slices.Index(out, m); place >= 0 {
		c.serverMetrics = append(c.serverMetrics, column{Row: row, Place: place})
	} else {
		c.clientMetrics = append(c.clientMetrics, column{Row: row, Place: slices.Index(in, m)})
	}
}

// mostCoarser is the largest number of times by which chooseStep makes the step longer, so that
// servers with longer intervals between their records have data in every step. With a step that is
// four times as long, a verdict about all other servers takes four times as long.
const mostCoarser = 4

// chooseStep returns the step in seconds. The parameter `asked` is the step in the options, and
// `finest` is the shortest step. If `asked` is 0, the result is the median interval of the records,
// but at least `finest`. If some servers have longer intervals, the result is the longest of these
// intervals (coarseStep). chooseStep warns in these cases:
//
//   - The step is longer than the median interval and `finest`, because some servers have longer
//     intervals.
//   - The step is longer than `finest` and defaultStep, because the median interval is so long.
//     Verdicts then come later.
//   - The interval between the records of a host is longer than the step in all of its files, so many
//     steps have no record of this host. If the interval is so long that no step has data, or if only
//     some files have this interval, plan.coarseWarnings warns of it.
func (a *plan) chooseStep(asked, finest int64, files []hostFiles) int64 {
	median := medianInterval(files)
	usual := max(finest, median)
	step := asked
	var coarse []string
	longest := int64(0)
	if asked == 0 {
		step, longest, coarse = a.coarseStep(usual, finest, files)
	}
	switch short := max(finest, defaultStep); {
	case asked != 0:
	case step > usual:
		a.Warned = append(a.Warned, ingest.Warning{Text: fmt.Sprintf("the interval between records is up to %d s on %s, and the median interval of all servers is %d s: limpet uses time steps of %d s, so that it can judge all of these servers. A verdict takes %s as long as with time steps of %d s. To get verdicts sooner, record a sample at least every %[6]d s on %[2]s",
			longest, topology.FoldFew(coarse), median, step, english.Times(float64(step)/float64(usual)), usual)})
	case step > short:
		a.Warned = append(a.Warned, ingest.Warning{Text: fmt.Sprintf("the interval between records is %d s, so limpet uses time steps of the same length. A verdict takes %s as long as with time steps of %d s. To get verdicts sooner, record a sample at least every %[3]d s", step, english.Times(float64(step)/float64(short)), short)})
	}
	var slow []string
	longest = 0
	a.mixed = map[string]int64{}
	for _, f := range files {
		switch {
		case f.Interval > table.MaxStretch*step: // no step has data of these records: coarseWarnings warns
		case isLonger(f.Interval, step):
			slow = append(slow, f.Name)
			longest = max(longest, f.Interval)
		case isLonger(f.Coarsest, step):
			a.mixed[f.Name] = f.Coarsest
		}
	}
	if len(slow) > 0 {
		a.Warned = append(a.Warned, ingest.Warning{Text: fmt.Sprintf("the interval between records of %s is up to %d s, longer than the time step of %d s, so many time steps have no data of %s; record samples more often, or use --step %d", topology.FoldFew(slow), longest, step, english.Verb(len(slow), "this server", "these servers"), longest)})
	}
	return step
}

// coarseStep returns the step with which all servers can be judged whose interval is longer than
// `usual`, but at most mostCoarser times as long. It also returns the longest interval of these
// servers, and their names. It returns `usual` and no server if there is no such server, and also if
// the diagnosis needs steps shorter than defaultStep, as the check of servers does.
func (a *plan) coarseStep(usual, finest int64, files []hostFiles) (step, longest int64, servers []string) {
	step = usual
	if finest < defaultStep {
		return step, 0, nil
	}
	system := Options{System: a.System}
	for i := range files {
		if f := &files[i]; f.Disks && isLonger(f.Interval, usual) && !isLonger(f.Interval, mostCoarser*usual) && system.includes(f.Name, f.Services) {
			longest = max(longest, f.Interval)
			servers = append(servers, f.Name)
		}
	}
	return max(step, min(longest, mostCoarser*usual)), longest, servers
}

// medianInterval returns the median interval between records, in seconds, over
// the hosts whose interval is known. It returns 0 if no interval is known.
func medianInterval(files []hostFiles) int64 {
	var intervals []int64
	for _, f := range files {
		if f.Interval > 0 {
			intervals = append(intervals, f.Interval)
		}
	}
	if len(intervals) == 0 {
		return 0
	}
	slices.Sort(intervals)
	return intervals[(len(intervals)-1)/2]
}
