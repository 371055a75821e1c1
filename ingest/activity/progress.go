package activity

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
)

// awaited returns the paths below which limpet has not found an activity file yet.
func (f *Following) awaited() []Awaited {
	return f.watch.Awaited(func(path string) bool { return f.files[path] != nil && f.files[path].refused == nil })
}

// Progress describes how far the files were read.
type Progress struct {
	Waiting  string    // reason why no system was found yet; empty after a system was found
	Awaited  []Awaited // paths without activity files
	Given    int64     // end of the last step that takes no more data; 0 if there is no such step yet
	Files    int       // number of known files
	Open     int       // number of open files
	Refused  int       // number of files that are damaged or in another format
	Coarse   string    // sentence about machines whose records are so far apart that no step has their data; empty if there are none
	Machines []ServerProgress
}

// ServerProgress describes how far the files of one machine were read.
type ServerProgress struct {
	Name       string
	Server     bool   // true for a server, false for a client
	State      State  // whether the machine has unread records, is up to date, is late or is silent
	File       string // path of the file that is being read
	LastRecord int64  // time of the machine's last record; 0 if there is no record
	Given      int64  // end of the machine's last step that is in a table row; 0 if there is no such step
	LagSeconds int64  // age of the machine's last record; negative if the machine's clock is ahead
	Steps      int    // number of steps of the machine that have gone into rows since the start
	LateSteps  int    // number of steps that were left out because they came after their row was closed
	AheadSteps int    // number of steps that were left out because the machine's clock was too far ahead
	Coarse     int64  // interval between records in seconds, if it is so long that no step has data of the machine; otherwise 0
	Trouble    string // sentence about the problem of the machine; empty if there is no problem
}

// Progress returns how far the files were read. Any goroutine may call it.
func (f *Following) Progress() Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.progress
	p.Machines = slices.Clone(p.Machines)
	return p
}

// report updates the progress. Following.checkAndRead calls report at its end.
func (f *Following) report(now int64) {
	p := Progress{Files: len(f.files), Awaited: f.awaited()}
	for _, file := range f.files {
		if file.refused != nil {
			p.Refused++
		}
	}
	if f.latest == nil && f.trouble != nil {
		p.Waiting = f.trouble.Error()
	}
	if f.latest != nil {
		p.Given = f.lastClosed()
		if w := f.latest.tooCoarse(); w != nil {
			p.Coarse = w.Text
		}
		for _, m := range f.latest.Machines {
			p.Machines = append(p.Machines, f.progressOf(m, now, &p))
		}
	}
	f.mu.Lock()
	f.progress = p
	f.mu.Unlock()
}

func (f *Following) progressOf(m *machine, now int64, p *Progress) ServerProgress {
	g := &m.Grow
	mp := ServerProgress{
		Name: m.Name, Server: m.Number >= 0, State: m.State(f.closed),
		LastRecord: m.Ends, Given: g.Used, Steps: g.Steps, LateSteps: g.Late, AheadSteps: g.Ahead, Coarse: m.Coarse(),
	}
	if m.Ends > 0 {
		mp.LagSeconds = now - m.Ends
	}
	if mp.State == Reading && m.Step != nil && m.Step.End > now {
		mp.State = Live // the machine's clock is ahead: its next step waits until limpet's clock reaches the end of the step
	}
	if g.Known != nil {
		mp.LateSteps, mp.AheadSteps = mp.LateSteps+g.Known.Late, mp.AheadSteps+g.Known.Ahead
	}
	if open := m.Records.Paths(); len(open) > 0 {
		mp.File, p.Open = open[len(open)-1], p.Open+len(open)
	}
	mp.Trouble = f.troubleOf(m, &mp)
	return mp
}

// troubleOf returns a sentence about the problem of a machine, with advice for
// the user, or an empty string if there is no problem.
func (f *Following) troubleOf(m *machine, p *ServerProgress) string {
	late := cmp.Or(f.follow.LateSeconds, 2*m.StepSeconds())
	switch {
	case p.AheadSteps > 0 && p.LagSeconds < -aheadSeconds:
		return fmt.Sprintf("the clock of %s is %d s ahead: its data are left out; synchronise the clock with NTP", m.Name, -p.LagSeconds)
	case p.Coarse > 0 && p.LagSeconds <= 2*p.Coarse:
		return tooCoarseText([]*machine{m}, m.StepSeconds())
	case p.State >= Late && p.LateSteps > 0:
		return fmt.Sprintf("server %s is %s: its last record is %s old, and %s left out, because the data arrived more than %d s late; check the clock of the server, and copy its files more often",
			m.Name, p.State, age(p.LagSeconds), english.Count(p.LateSteps, "time step")+english.Verb(p.LateSteps, " is", " are"), late)
	case p.State >= Late:
		return fmt.Sprintf("server %s is %s: its last record is %s old; check that the server runs, and that its recorder writes and sends files", m.Name, p.State, age(p.LagSeconds))
	case p.LagSeconds < -m.StepSeconds():
		return fmt.Sprintf("the clock of %s is %d s ahead: limpet uses the data of this server later, when the other servers have data of the same time; synchronise the clock with NTP", m.Name, -p.LagSeconds)
	}
	if w := m.Warnings(); len(w) > 0 {
		return w[len(w)-1].Text
	}
	return ""
}

// mostWarnings is the largest number of warnings in a list. Without a limit,
// the list could become very long, because limpet reads growing files for
// months.
const mostWarnings = 100

// Warnings lists the problems with the input. It lists at most mostWarnings problems, and adds the
// number of the problems that are not listed. Any goroutine may call it. While another goroutine
// reads files, Warnings returns the previous list without waiting.
func (f *Following) Warnings() []ingest.Warning {
	if f.work.TryLock() {
		defer f.work.Unlock()
		all := f.warn()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.warned = all
		return slices.Clone(all)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.warned)
}

// warn lists the present problems with the input (see Warnings).
func (f *Following) warn() []ingest.Warning {
	all := slices.Clone(f.chosen)
	for _, text := range f.refusals(mostWarnings) {
		all = append(all, ingest.Warning{Text: text})
	}
	if f.scanErr != nil {
		all = append(all, ingest.Warning{Text: fmt.Sprintf("%v; limpet cannot read the files in this directory: check that the user of limpet may read the directory", f.scanErr)})
	}
	if f.latest != nil {
		all = append(all, f.latest.troubles(f.trouble)...)
	}
	if more := len(all) - mostWarnings; more > 0 {
		all = append(all[:mostWarnings:mostWarnings], ingest.Warning{Text: fmt.Sprintf("%d more warnings are not shown", more)})
	}
	return all
}

// age returns the age of a record as text: exact below two hours, and in hours or days from then on.
func age(seconds int64) string {
	if seconds < 2*3600 {
		return english.Seconds(seconds)
	}
	return english.Age(seconds)
}
