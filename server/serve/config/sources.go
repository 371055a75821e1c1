package config

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/ingest/scrape"
	"github.com/limpet-storage/limpet/ingest/store"
	"github.com/limpet-storage/limpet/ingest/store/results"
	"github.com/limpet-storage/limpet/internal/bounded"
)

// push reads what senders may do.
func (r *reader) push(n *yaml.Node, c *Config) {
	f := r.Fields(n, "push", "enabled", "server_label", "by_nodename", "wait", "keep_days")
	r.boolean(f["enabled"], &c.Push)
	r.text(f["server_label"], &c.Intake.Exporter.ServerLabel)
	r.boolean(f["by_nodename"], &c.Intake.Exporter.ByNodename)
	r.value(f["wait"], bounded.Duration(&c.Intake.Exporter.Wait, time.Second, time.Hour))
	r.value(f["keep_days"], bounded.Int(&c.Intake.Spool.KeepDays, 1, mostDays, "days"))
}

// scrape reads what is pulled.
func (r *reader) scrape(n *yaml.Node, jobs *[]scrape.Job) {
	for _, at := range r.Entries(n, "scrape") {
		*jobs = append(*jobs, r.job(at))
	}
	r.check(n, scrape.Validate(*jobs))
}

// stores reads what is polled.
func (r *reader) stores(n *yaml.Node, stores *[]intake.Store) {
	for _, at := range r.Entries(n, "stores") {
		s := intake.DefaultStore()
		f := store.Read(r.Decoder, at, r.dir, &s.Connect, "name", "interval", "late", "since", "reach")
		r.Required(at, f, "name")
		r.text(f["name"], &s.Name)
		r.value(f["interval"], bounded.Duration(&s.Interval, time.Second, time.Hour))
		r.value(f["late"], bounded.Duration(&s.Late, time.Second, time.Hour))
		r.value(f["since"], bounded.Duration(&s.Since, time.Minute, longestReach))
		r.value(f["reach"], bounded.Duration(&s.Reach, time.Minute, longestReach))
		*stores = append(*stores, s)
	}
	if r.Mistakes() == 0 {
		r.check(n, intake.Validate(*stores))
	}
}

// longestReach is how far back a store may be read.
const longestReach = 30 * 24 * time.Hour

// results reads where results are written to.
func (r *reader) results(n *yaml.Node, to **results.Options) {
	if n == nil {
		return
	}
	o := results.DefaultOptions()
	c := store.DefaultOptions()
	f := store.Read(r.Decoder, n, r.dir, &c, "interval", "labels")
	o.Post, o.Tenant = c.Post, c.Tenant
	r.value(f["interval"], bounded.Duration(&o.Interval, time.Second, time.Hour))
	if f["labels"] != nil {
		o.Labels = r.labels(f["labels"], "labels")
	}
	*to = &o
}

func (r *reader) job(n *yaml.Node) scrape.Job {
	job := scrape.DefaultJob()
	f := r.Fields(n, "a job", "name", "targets", "files", "labels", "interval", "timeout", "scheme", "path", "tls", "basic", "bearer_file", "max_body")
	r.Required(n, f, "name")
	r.text(f["name"], &job.Name)
	job.Targets = r.Texts(f["targets"])
	r.paths(f["files"], &job.Files)
	job.Labels = r.labels(f["labels"], "labels")
	r.value(f["interval"], bounded.Duration(&job.Interval, time.Second, time.Hour))
	job.Timeout = min(job.Timeout, job.Interval)
	r.value(f["timeout"], bounded.Duration(&job.Timeout, time.Millisecond, time.Hour))
	r.text(f["scheme"], &job.Scheme)
	r.text(f["path"], &job.Path)
	t := r.Fields(f["tls"], "tls", "ca", "certificate", "key", "server_name")
	r.path(t["ca"], &job.TLS.CAFile)
	r.path(t["certificate"], &job.TLS.CertFile)
	r.path(t["key"], &job.TLS.KeyFile)
	r.text(t["server_name"], &job.TLS.ServerName)
	b := r.Fields(f["basic"], "basic", "user", "password_file")
	r.text(b["user"], &job.Basic.User)
	r.path(b["password_file"], &job.Basic.PasswordFile)
	r.path(f["bearer_file"], &job.BearerFile)
	r.value(f["max_body"], bounded.Bytes(&job.MaxBody, 1<<10, mostBytes))
	return job
}
