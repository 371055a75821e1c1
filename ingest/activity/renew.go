package activity

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/workers"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// checkAndRead checks the files and makes rows from their new records. It reports
// whether more records may be ready to read.
func (f *Following) checkAndRead() (more bool) {
	f.work.Lock()
	defer f.work.Unlock()
	// Read the clock before checking the files. If the check came first, it could miss a record
	// that is written before the clock is read. The machine of this record would then count as
	// late.
	now := f.follow.Now().Unix()
	due := now
	if f.follow.Until != nil {
		due = min(due, f.follow.Until().Unix())
	}
	if !f.follow.Once || f.looks == 0 {
		f.findFiles()
	}
	f.takeSet()
	if f.latest == nil || f.stale {
		f.refresh()
	}
	switch {
	case f.latest != nil:
		more = f.round(now, due)
	case f.follow.Once:
		f.end(f.trouble)
	}
	f.report(now)
	return more
}

// refresh begins a new epoch (see renew). If that fails, the previous epoch continues with its
// system.
func (f *Following) refresh() {
	f.stale = false
	f.trouble = f.renew()
	if f.trouble != nil && f.latest != nil {
		for _, m := range f.latest.Machines {
			m.Grow.Changed = false
		}
	}
}

// renew begins a new epoch, a period in which the system does not change. It opens the present
// files of all machines again. Rows continue after the last closed row.
func (f *Following) renew() error {
	list := f.gather(f.lastClosed() - walkedSeconds)
	e := &epoch{plan: plan{System: f.system, Reading: f.ctx}}
	if err := f.choose(e, list); err != nil {
		return err
	}
	f.count(e, list)
	list = f.gather(f.lastClosed() - walkedSeconds)
	e.Found = f.rememberedSightings()
	if err := e.Settle(list, f.opts.Peers); err != nil {
		return err
	}
	if !f.wantsMore {
		e.Warned = append(e.Warned, e.WarnMissing(list)...)
	}
	f.dismiss()
	e.prepare(list)
	if err := e.OpenMachines(list, func(name string, h hostFiles) (*machine, error) { return f.open(e, name, h) }); err != nil {
		return err
	}
	f.begin(e)
	return nil
}

// lastClosed returns the end of the last closed row, as a Unix time.
func (f *Following) lastClosed() int64 {
	if f.latest == nil || f.closed == 0 {
		return f.follow.After
	}
	return f.closed * f.latest.Schema.StepSeconds
}

// choose copies the metrics and the step of the previous epoch (period with one system). In the
// first epoch it derives them from the files.
func (f *Following) choose(e *epoch, list []hostFiles) error {
	if f.latest != nil {
		e.ChooseAs(&f.latest.plan)
		return nil
	}
	if len(list) == 0 {
		return f.noFilesError()
	}
	if wait := f.tooFewRecords(list); wait != "" && !f.follow.Once {
		return errors.New(wait)
	}
	o := f.opts
	wanted, err := e.Choose(&o, list)
	if err != nil {
		return err
	}
	f.wantsMore, f.chosen, e.Warned = wanted, e.Warned, nil
	e.Schema.Latencies = f.opts.Latencies // files that appear later may have latencies
	f.closed = f.follow.After / e.Schema.StepSeconds
	return nil
}

// noFilesError returns an error with the reason why there are no rows yet: there are no activity files,
// or the files have no whole record.
func (f *Following) noFilesError() error {
	if list := f.refusals(1); len(list) > 0 {
		return fmt.Errorf("no activity files yet: %s", list[0])
	}
	var texts []string
	for _, one := range f.awaited() {
		texts = append(texts, one.Text)
	}
	if len(texts) == 0 {
		return errors.New("no complete records yet: a recorder writes the first record of a file after one interval")
	}
	return errors.New(strings.Join(texts, "; "))
}

// tooFewRecords returns a sentence that names the hosts with too few records to
// choose a step. It returns an empty string if the step can be chosen. It
// ignores a host whose files are not being written.
func (f *Following) tooFewRecords(list []hostFiles) string {
	if f.opts.StepSeconds > 0 && len(f.opts.Wanted.Metrics) == 0 {
		return ""
	}
	var names []string
	unknown := 0
	for _, h := range f.hosts {
		if h.Interval != 0 {
			continue
		}
		unknown++
		if f.isWritten(h) {
			names = append(names, h.Name)
		}
	}
	if len(names) == 0 && unknown < len(list) {
		return ""
	}
	return fmt.Sprintf("the files of %s have too few records so far to find the interval between records", topology.Fold(names))
}

// isWritten reports whether a file of a host has changed in the last
// patientLooks checks.
func (f *Following) isWritten(h *host) bool {
	return slices.ContainsFunc(h.files, func(file *file) bool { return f.looks-file.changedAt <= patientLooks })
}

// patientLooks is a number of checks of the files. Before limpet chooses a step, it waits for hosts
// with too few records. It no longer waits for a host if the files of this host have not changed in
// the last patientLooks checks.
const patientLooks = 60

// count calls TakeCensus for the files of new hosts.
func (f *Following) count(e *epoch, list []hostFiles) {
	var fresh []*host
	for _, h := range f.hosts {
		h.NeedsDevices, h.NeedsConnections = e.System == nil || h.Services, e.UsesConnections()
		has := slices.ContainsFunc(list, func(hf hostFiles) bool { return hf.Name == h.Name })
		if has && f.isUncounted(h) && (h.NeedsDevices || h.NeedsConnections) {
			fresh = append(fresh, h)
		}
	}
	if f.latest == nil && len(fresh) > 0 {
		f.mu.Lock()
		f.progress.Waiting = fmt.Sprintf("reading the files of %s", english.Count(len(fresh), "machine"))
		f.mu.Unlock()
	}
	workers.Each(f.ctx, fresh, func(h *host) {
		h.counted = f.looks
		_ = h.TakeCensus(f.ctx, e.UsesInterfaces()) // an error is reported when the file is read later
	})
}

// isUncounted reports whether the files of a host may have devices that TakeCensus has not listed
// yet.
func (f *Following) isUncounted(h *host) bool {
	return h.counted == 0 || f.latest == nil && slices.ContainsFunc(h.files, func(file *file) bool { return file.changedAt >= h.counted })
}

// rememberedSightings returns FollowOptions.Found, the list of an earlier process. It leaves out
// the devices that this process has found too.
func (f *Following) rememberedSightings() []topology.Seen {
	return slices.DeleteFunc(slices.Clone(f.follow.Found), func(was topology.Seen) bool {
		return slices.ContainsFunc(f.hosts, func(h *host) bool {
			return slices.ContainsFunc(h.Seen, func(s topology.Seen) bool { return sameDevice(was, s) })
		})
	})
}

// dismiss closes the machines of the epoch that ends. It keeps each machine in host.previous.
func (f *Following) dismiss() {
	if f.latest == nil {
		return
	}
	f.latest.Close()
	for _, h := range f.hosts {
		if m := h.machine; m != nil {
			h.Late, h.Ahead = h.Late+m.Grow.Late, h.Ahead+m.Grow.Ahead
			h.previous, h.machine = m, nil
		}
	}
}

// open opens the files of a machine for the epoch e. In the first epoch, and for a machine that was
// in an earlier epoch, the steps continue after the last closed row.
func (f *Following) open(e *epoch, name string, hf hostFiles) (*machine, error) {
	if f.follow.Once {
		m, err := e.OpenFiles(name, hf)
		if err == nil {
			m.ResumeAfter(f.lastClosed())
		}
		return m, err
	}
	records := sysstat.JoinGrowing()
	for _, path := range hf.Paths {
		f.files[path].setResult(records.Look(path))
	}
	m := newMachine(name, hf.Paths, records, &e.plan)
	at := slices.IndexFunc(f.hosts, func(h *host) bool { return h.Name == hf.Name })
	h := f.hosts[at]
	h.machine, m.Grow.Known = m, &h.known
	was := h.previous
	// In the first epoch, every machine continues after the last closed row. A machine that is new
	// in a later epoch reads its old records too. Its steps in closed rows count as late.
	if f.latest == nil || was != nil {
		m.ResumeAfter(f.lastClosed())
	}
	if was != nil {
		m.Grow.Used, m.Grow.Steps, m.Grow.Behind, m.Grow.Missed = was.Grow.Used, was.Grow.Steps, was.Grow.Behind, was.Grow.Missed
		m.Jumps, m.Repeated, h.previous = was.Jumps, was.Repeated, nil
	}
	return m, nil
}

// begin makes e the latest epoch. Before the first row of e, Following.Next returns
// ingest.ErrChanged if e has another system than the previous epoch.
func (f *Following) begin(e *epoch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := f.latest
	if last == nil {
		last = f.current
	}
	if reflect.DeepEqual(last.System, e.System) {
		e.System = last.System
	}
	last.next, f.latest = e, e
	e.Inherit(&last.queue)
	f.found = f.sum(e)
	signal(f.ready)
}

// sum returns the devices, interfaces and hosts that this process and an earlier process have found
// so far, without duplicates.
func (f *Following) sum(e *epoch) []topology.Seen {
	all := slices.Concat(e.Found, e.Hosts)
	for _, h := range f.hosts {
		all = append(all, h.Seen...)
	}
	known := make(map[topology.Seen]bool, len(all))
	return slices.DeleteFunc(all, func(s topology.Seen) bool {
		was := known[s]
		known[s] = true
		return was
	})
}
