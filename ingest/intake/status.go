package intake

import (
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// Values of SourceStatus.Kind.
const (
	Push    = "push"    // a program that pushes samples
	Pull    = "pull"    // a scraped endpoint, or a job whose target files have errors
	Polled  = "store"   // a store that is polled
	Machine = "machine" // a server whose samples are received, from any source
	Disk    = "disk"    // the directory in which received data are stored; listed only while it has a problem
)

// SourceStatus is the state of one sender, endpoint, store or server.
type SourceStatus struct {
	Kind   string    `json:"kind"`
	Name   string    `json:"name"`             // name of the sender, store or server, or URL of the endpoint
	Server string    `json:"server,omitempty"` // for an endpoint: the value of the server label
	Job    string    `json:"job,omitempty"`    // for an endpoint: name of its job; for a store: the protocol by which samples are read
	Source string    `json:"source,omitempty"` // for a server: the sender or endpoint whose samples are used
	Up     bool      `json:"up"`               // for a sender or server, true if samples came in the last 5 minutes; for an endpoint or store, true if the last request succeeded
	Heard  time.Time `json:"heard,omitzero"`   // time of the last samples, by limpet's clock
	Last   time.Time `json:"last,omitzero"`    // for a server: time of the last sample, by the clock of the sender

	Records    uint64 `json:"records"`    // for a server: number of records that were written to its files
	Kept       uint64 `json:"kept"`       // number of samples that are used
	Dropped    uint64 `json:"dropped"`    // number of samples of series that limpet does not use
	Late       uint64 `json:"late"`       // number of samples that arrived after their scrape was closed
	Duplicate  uint64 `json:"duplicate"`  // number of samples that arrived twice, or came from a second source
	Refused    uint64 `json:"refused"`    // number of samples with an invalid name, time or value
	Incomplete uint64 `json:"incomplete"` // number of scrapes that count as gaps, because samples are missing
	Failed     uint64 `json:"failed"`     // number of requests or scrapes that failed

	Trouble string `json:"trouble,omitempty"` // sentence about the problem; empty if there is no problem
}

// silence is the time without samples after which a sender or server counts as
// down.
const silence = 5 * time.Minute

// A sender is a program that pushes samples.
type sender struct {
	heard      time.Time
	counts     exporter.Counts
	failed     uint64
	trouble    string
	troubleSet time.Time // time at which sender.trouble was set
	since      time.Time // time of the last problem
}

// sayAgain is the shortest time between two changes of the sentence about the refused requests of
// one sender (sender.trouble). Without this limit, a sender that always sends new names would fill
// the log.
const sayAgain = time.Minute

// maxSenders is the largest number of senders that are remembered.
const maxSenders = 1024

// senderOf returns the sender with the given name, and adds the sender if it is
// new. If there are too many senders, a new sender replaces the sender that has
// sent no samples for the longest time.
func (i *Intake) senderOf(name string) *sender {
	if s := i.senders[name]; s != nil {
		return s
	}
	if len(i.senders) >= maxSenders {
		oldest := ""
		for n, s := range i.senders {
			if oldest == "" || s.heard.Before(i.senders[oldest].heard) {
				oldest = n
			}
		}
		delete(i.senders, oldest)
	}
	i.senders[name] = &sender{}
	return i.senders[name]
}

func (i *Intake) countRequest(name string, c exporter.Counts) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.senderOf(name)
	s.heard = i.o.Now()
	s.counts.Add(c)
}

func (i *Intake) refused(name, why string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.senderOf(name)
	s.failed++
	now := i.o.Now()
	if lasts := now.Sub(s.troubleSet); s.trouble == "" || lasts >= sayAgain || lasts < 0 {
		s.trouble, s.troubleSet = "a request of "+name+" was refused: "+why, now
	}
	s.since = now
}

// Status returns the state of every sender, endpoint, store and server. A
// problem of the disk comes first. The senders follow, sorted by name. Then come
// the endpoints and stores, sorted by job and name. The servers come last,
// sorted by name.
func (i *Intake) Status() []SourceStatus {
	targets := i.pullStatus()
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.o.Now()
	var list []SourceStatus
	if err := i.spool.Err(); err != nil {
		list = append(list, SourceStatus{Kind: Disk, Name: "received data", Trouble: err.Error()})
	}
	servers, trouble := i.assembler.Status(now)
	list = append(list, i.pushStatus(now, trouble)...)
	list = append(list, targets...)
	for _, m := range servers {
		s := SourceStatus{Kind: Machine, Name: m.Server, Source: m.Sender, Heard: m.Heard, Last: m.Last, Up: now.Sub(m.Heard) < silence, Trouble: m.Trouble}
		s.count(m.Counts)
		list = append(list, s)
	}
	return list
}

// pushStatus returns the state of senders. If `trouble` is not empty, there are samples without the
// name of a server. One further entry then stands for all these samples, from any sender.
func (i *Intake) pushStatus(now time.Time, trouble string) (list []SourceStatus) {
	for name, s := range i.senders {
		st := SourceStatus{Kind: Push, Name: name, Heard: s.heard, Up: now.Sub(s.heard) < silence, Failed: s.failed}
		st.count(s.counts)
		if now.Sub(s.since) < silence {
			st.Trouble = s.trouble
		}
		list = append(list, st)
	}
	if trouble != "" {
		list = append(list, SourceStatus{Kind: Push, Name: "samples without a server name", Trouble: trouble})
	}
	slices.SortFunc(list, func(a, b SourceStatus) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (i *Intake) pullStatus() (list []SourceStatus) {
	targets, files := i.scraper.Status()
	for _, t := range targets {
		st := SourceStatus{
			Kind: Pull, Name: t.URL, Server: t.Server, Job: t.Job, Up: t.Up, Heard: t.Heard,
			Failed: t.Failed, Trouble: t.Trouble,
		}
		st.count(t.Counts)
		list = append(list, st)
	}
	for _, s := range i.poller.Status() {
		st := SourceStatus{Kind: Polled, Name: s.Name, Job: s.Kind, Up: s.Up, Heard: s.Heard, Failed: s.Failed, Trouble: s.Trouble}
		st.count(s.Counts)
		list = append(list, st)
	}
	for job, text := range files {
		list = append(list, SourceStatus{Kind: Pull, Name: job, Job: job, Trouble: "some targets of job " + job + " could not be found: " + text})
	}
	slices.SortFunc(list, func(a, b SourceStatus) int { return strings.Compare(a.Job+"\xff"+a.Name, b.Job+"\xff"+b.Name) })
	return list
}

func (s *SourceStatus) count(c exporter.Counts) {
	s.Records, s.Kept, s.Dropped, s.Late = c.Records, c.Kept, c.Unused, c.Late
	s.Duplicate, s.Refused, s.Incomplete = c.Duplicate, c.Refused, c.Incomplete
}

// report calls Options.Report for each new problem.
func (i *Intake) report() {
	if i.o.Report == nil {
		return
	}
	holds := map[string]bool{}
	for _, text := range i.spool.Damage() {
		holds[text] = true
	}
	for _, s := range i.Status() {
		if s.Trouble != "" {
			holds[s.Trouble] = true
		}
	}
	i.mu.Lock()
	said := i.reported
	i.reported = holds
	i.mu.Unlock()
	fresh := []string{}
	for text := range holds {
		if !said[text] {
			fresh = append(fresh, text)
		}
	}
	slices.Sort(fresh)
	for _, text := range fresh {
		i.reportOnce(text)
	}
}

func (i *Intake) reportOnce(text string) {
	if i.o.Report != nil {
		i.o.Report(text)
	}
}
