package scrape

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Job is a group of endpoints with the same settings.
type Job struct {
	Name    string
	Targets []string          // addresses of the endpoints: host:port, or a whole URL
	Files   []string          // files with targets in the format of Prometheus's file-based discovery, JSON or YAML; names may be patterns
	Labels  map[string]string // labels of every target; labels of a single target replace labels with the same name

	Interval time.Duration // time between two scrapes of a target
	Timeout  time.Duration // longest time for one answer
	Scheme   string        // http or https
	Path     string

	TLS   TLS
	Basic Basic
	// BearerFile is the path of a file with the token of the Authorization
	// header. All files with credentials are read again after a change.
	BearerFile string

	MaxBody int64 // largest number of bytes of an answer, after decompression
}

// TLS sets how the endpoint and limpet authenticate each other.
type TLS struct {
	CAFile            string // file with trusted certificates; empty means the certificates of the system
	CertFile, KeyFile string // files with the client certificate and its key; if they are empty, limpet sends no certificate
	ServerName        string // name in the certificate of the endpoint; empty means the host of the target
}

// Basic is a user and the file with the password of the user. If User is empty,
// no password is sent.
type Basic struct {
	User, PasswordFile string
}

// DefaultJob returns a job without a name and without targets.
func DefaultJob() Job {
	return Job{
		Interval: 15 * time.Second, Timeout: 10 * time.Second,
		Scheme: "http", Path: "/metrics", MaxBody: 16 << 20,
	}
}

// Validate reports all invalid settings of jobs.
func Validate(jobs []Job) error {
	var errs []error
	names := map[string]bool{}
	for i := range jobs {
		j := &jobs[i]
		if names[j.Name] {
			errs = append(errs, fmt.Errorf("section \"scrape\": two jobs have the name %q: give each job its own name", j.Name))
		}
		names[j.Name] = true
		for _, err := range j.mistakes() {
			errs = append(errs, fmt.Errorf("section \"scrape\", job %s: %w", j.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (j *Job) mistakes() (errs []error) {
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if j.Name == "" {
		wrong("the job has no name: write the setting \"name\"")
	}
	if len(j.Targets)+len(j.Files) == 0 {
		wrong("the job has no targets: name targets, or files that list targets")
	}
	if j.Interval < time.Second || j.Interval > time.Hour {
		wrong("interval %v is not possible: give a time from 1s to 1h", j.Interval)
	}
	if j.Timeout <= 0 || j.Timeout > j.Interval {
		wrong("timeout %v is not possible: give more than 0 and at most the interval, %v", j.Timeout, j.Interval)
	}
	if j.Scheme != "http" && j.Scheme != "https" {
		wrong("scheme %q is unknown: give http or https", j.Scheme)
	}
	if j.MaxBody < 1 {
		wrong("a limit of %d bytes for answers is not possible: give more than 0", j.MaxBody)
	}
	if (j.TLS.CertFile == "") != (j.TLS.KeyFile == "") {
		wrong("a client certificate needs two files: name the file of the certificate and the file of its key")
	}
	if j.Basic.User != "" && j.BearerFile != "" {
		wrong("both a user and a token are given: give either a user or a token")
	}
	if j.Basic.User != "" && j.Basic.PasswordFile == "" {
		wrong("user %s has no password file: name the file with the password", j.Basic.User)
	}
	for _, t := range j.Targets {
		if _, err := j.address(t, nil); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// address returns the URL of a target. The labels of the discovery file may set
// the scheme and the path.
func (j *Job) address(target string, labels map[string]string) (*url.URL, error) {
	scheme, path := j.Scheme, j.Path
	if v := labels["__scheme__"]; v != "" {
		scheme = v
	}
	if v := labels["__metrics_path__"]; v != "" {
		path = v
	}
	text := target
	if !strings.Contains(target, "://") {
		text = scheme + "://" + target + "/" + strings.TrimPrefix(path, "/")
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, fmt.Errorf("target %q is not an address: write host:port, without user and password", target)
	}
	return u, nil
}
