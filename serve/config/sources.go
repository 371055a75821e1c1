package config

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/bounded"
	"github.com/limpet-storage/limpet/intake/scrape"
)

// push reads what senders may do.
func (r *reader) push(n *yaml.Node, c *Config) {
	f := r.Fields(n, "push", "enabled", "server_label", "by_nodename", "wait", "keep_days")
	r.yes(f["enabled"], &c.Push)
	r.text(f["server_label"], &c.Intake.Exporter.ServerLabel)
	r.yes(f["by_nodename"], &c.Intake.Exporter.ByNodename)
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

func (r *reader) job(n *yaml.Node) scrape.Job {
	job := scrape.DefaultJob()
	f := r.Fields(n, "a job", "name", "targets", "files", "labels", "interval", "timeout", "scheme", "path", "tls", "basic", "bearer_file", "max_body")
	r.Required(n, f, "name")
	r.text(f["name"], &job.Name)
	job.Targets = r.Texts(f["targets"])
	r.paths(f["files"], &job.Files)
	job.Labels = r.labels(f["labels"], "labels")
	r.value(f["interval"], bounded.Duration(&job.Interval, time.Second, time.Hour))
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
