package scrape

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Sink takes what was pulled. It is called by several goroutines at a time.
type Sink interface {
	// Take takes the samples of a scrape of an endpoint.
	Take(endpoint string, b *exporter.Batch) (exporter.Counts, error)
}

// A Scraper pulls the endpoints of jobs.
type Scraper struct {
	sink  Sink
	label string // that names the machine
	now   func() time.Time
	slots chan struct{} // scrapes that are under way

	mu      sync.Mutex
	jobs    []Job
	targets map[string]*running
	trouble map[string]string // of jobs: what is wrong with their files
	wake    chan struct{}
}

// running is a target that is being pulled.
type running struct {
	target
	client *client
	stop   context.CancelFunc
	status Status
}

// Status is what is known of an endpoint.
type Status struct {
	Job, URL, Server string
	Up               bool      // the last scrape went well
	Heard            time.Time // when the last that did was
	Scrapes, Failed  uint64
	Took             time.Duration // by the last
	Counts           exporter.Counts
	Trouble          string // a sentence, empty where there is none
}

// atOnce: as many scrapes are under way at most.
const atOnce = 64

// rediscover is how often files of targets are read again. It is seldom enough
// to cost nothing, and works where no one tells of changes, as on NFS.
const rediscover = 5 * time.Second

// New makes a Scraper of machines that a label names.
func New(jobs []Job, s Sink, serverLabel string, now func() time.Time) (*Scraper, error) {
	if err := Validate(jobs); err != nil {
		return nil, err
	}
	return &Scraper{
		sink: s, label: serverLabel, now: now, slots: make(chan struct{}, atOnce), jobs: slices.Clone(jobs),
		targets: map[string]*running{}, trouble: map[string]string{}, wake: make(chan struct{}, 1),
	}, nil
}

// SetJobs replaces the jobs. Targets that stay as they are go on.
func (s *Scraper) SetJobs(jobs []Job) error {
	if err := Validate(jobs); err != nil {
		return err
	}
	s.mu.Lock()
	s.jobs = slices.Clone(jobs)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// Run pulls until ctx is done.
func (s *Scraper) Run(ctx context.Context) {
	var pulls sync.WaitGroup
	defer pulls.Wait()
	every := time.NewTicker(rediscover)
	defer every.Stop()
	for {
		s.discover(ctx, &pulls)
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		case <-s.wake:
		}
	}
}

// discover begins to pull new targets and ends those that are gone. Of files
// that cannot be read the targets stay.
func (s *Scraper) discover(ctx context.Context, pulls *sync.WaitGroup) {
	s.mu.Lock()
	jobs := slices.Clone(s.jobs)
	s.mu.Unlock()
	trouble := map[string]string{}
	keep := map[string]bool{} // jobs of which a file cannot be read
	var all []target
	for i := range jobs { // without the lock: a file system may hang
		list, failed, err := jobs[i].targets()
		if err != nil {
			trouble[jobs[i].Name] = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		keep[jobs[i].Name] = len(failed) > 0
		all = append(all, list...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = trouble
	found := map[string]bool{}
	for _, t := range all {
		found[s.begin(ctx, pulls, t)] = true
	}
	for key, r := range s.targets {
		if !found[key] && !keep[r.job.Name] {
			r.stop()
			delete(s.targets, key)
		}
	}
}

// begin pulls a target, unless it is being pulled.
func (s *Scraper) begin(ctx context.Context, pulls *sync.WaitGroup, t target) (key string) {
	key = t.key() + fmt.Sprintf("%+v", *t.job)
	if s.targets[key] != nil {
		return key
	}
	own, stop := context.WithCancel(ctx)
	job := *t.job
	t.job = &job
	r := &running{target: t, client: newClient(&job), stop: stop}
	r.status = Status{Job: job.Name, URL: t.url.Redacted(), Server: t.labels[s.label]}
	s.targets[key] = r
	pulls.Go(func() {
		defer stop()
		defer r.client.close()
		s.pull(own, r)
	})
	return key
}

// pull asks one target again and again, at its place in the interval.
func (s *Scraper) pull(ctx context.Context, r *running) {
	offset := r.offset()
	var p parser
	var buf []byte
	for {
		wait := untilNext(s.now(), r.job.Interval, offset)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		select {
		case <-ctx.Done():
			return
		case s.slots <- struct{}{}:
		}
		buf = s.scrape(ctx, r, &p, buf)
		<-s.slots
	}
}

// offset is the place of a target in its interval.
func (t *target) offset() time.Duration {
	h := fnv.New64a()
	h.Write([]byte(t.key()))
	return time.Duration(h.Sum64() % uint64(t.job.Interval))
}

// untilNext is how long it is until an interval's place comes again.
func untilNext(now time.Time, interval, offset time.Duration) time.Duration {
	since := time.Duration((now.UnixNano() - int64(offset)) % int64(interval))
	return interval - since
}

// scrape asks a target once. It returns the memory to use again.
func (s *Scraper) scrape(ctx context.Context, r *running, p *parser, buf []byte) []byte {
	at := s.now()
	buf, err := r.client.fetch(ctx, r.url, buf)
	var c exporter.Counts
	if err == nil {
		err = s.read(p, buf, r, at)
	}
	if err == nil {
		c, err = s.sink.Take(r.status.URL, &p.Batch)
	}
	if ctx.Err() == nil {
		s.note(r, at, c, err)
	}
	return buf
}

// read makes the batch of an answer.
func (s *Scraper) read(p *parser, text []byte, r *running, at time.Time) error {
	if err := p.Read(text, r.labels, s.label, at); err != nil {
		return fmt.Errorf("its answer is not Prometheus's text format: %w", err)
	}
	if p.Batch.Len() == 0 {
		return fmt.Errorf("it shows nothing of disks and interfaces%s: see that it is node_exporter or limpet-record", beginning(text))
	}
	return nil
}

func beginning(text []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
		return " but a page"
	}
	return ""
}

func (s *Scraper) note(r *running, at time.Time, c exporter.Counts, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &r.status
	st.Scrapes++
	st.Took = s.now().Sub(at)
	st.Counts.Add(c)
	if st.Up = err == nil; st.Up {
		st.Heard, st.Trouble = at, ""
		return
	}
	st.Failed++
	st.Trouble = fmt.Sprintf("%s cannot be pulled: %v", st.URL, err)
}

// Status tells of all endpoints, by job and URL, and what is wrong with the
// files that list them, by job.
func (s *Scraper) Status() (list []Status, trouble map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.targets {
		list = append(list, r.status)
	}
	slices.SortFunc(list, func(a, b Status) int {
		return strings.Compare(a.Job+"\xff"+a.URL, b.Job+"\xff"+b.URL)
	})
	return list, maps.Clone(s.trouble)
}
