package config

import (
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/live/cluster"
)

// Bounds of the settings of a cluster.
const (
	mostPartitions = 1024
	longestLease   = time.Minute
	longestKeep    = 10 * 365 * 24 * time.Hour
)

// cluster reads the section about the cluster that this process is a node of.
func (r *reader) cluster(n *yaml.Node, c *Config) {
	o := cluster.DefaultOptions()
	f := r.Fields(n, "cluster", "nats", "name", "node", "roles", "partitions", "replicas", "lease", "keep_rows", "keep_events", "plots",
		"credentials_file", "token_file", "user", "password_file", "tls", "insecure_open_to_network")
	if n == nil {
		return
	}
	r.Required(n, f, "nats", "name")
	o.NATS.URLs = r.Texts(f["nats"])
	r.text(f["name"], &o.NATS.Cluster)
	o.NATS.Node, _ = os.Hostname()
	r.text(f["node"], &o.NATS.Node)
	if f["roles"] != nil {
		o.Roles = nil
		for _, role := range r.Texts(f["roles"]) {
			o.Roles = append(o.Roles, cluster.Role(role))
		}
	}
	r.value(f["partitions"], bounded.Int(&o.Partitions, 1, mostPartitions, "partitions"))
	r.value(f["replicas"], bounded.Int(&o.NATS.Replicas, 1, 5, "replicas"))
	r.value(f["lease"], bounded.Duration(&o.NATS.LeaseTime, time.Second, longestLease))
	r.value(f["keep_rows"], bounded.Duration(&o.LogRetention.Rows, time.Hour, longestKeep))
	r.value(f["keep_events"], bounded.Duration(&o.LogRetention.Output, time.Hour, longestKeep))
	r.boolean(f["plots"], &o.Plots)
	r.boolean(f["insecure_open_to_network"], &o.NATS.InsecureOpenToNetwork)
	r.path(f["credentials_file"], &o.NATS.CredentialsFile)
	r.path(f["token_file"], &o.NATS.TokenFile)
	r.text(f["user"], &o.NATS.User)
	r.path(f["password_file"], &o.NATS.PasswordFile)
	t := r.Fields(f["tls"], "tls", "ca", "certificate", "key")
	r.path(t["ca"], &o.NATS.CAFile)
	r.path(t["certificate"], &o.NATS.CertificateFile)
	r.path(t["key"], &o.NATS.KeyFile)
	if r.Mistakes() == 0 {
		r.check(n, o.Validate())
	}
	if c.Topology == "" {
		r.Errorf(n, "a cluster needs a topology, so that all nodes divide the storage system in the same way; write \"topology:\" and the name of a file")
	}
	c.Cluster = &o
	r.checkSources(n, c)
}

// checkSources reports an error if sources are configured for a node that does not read data.
func (r *reader) checkSources(n *yaml.Node, c *Config) {
	if c.Cluster.HasRole(cluster.RoleIngest) {
		return
	}
	c.Push = false
	if len(c.Directories)+len(c.Intake.Jobs)+len(c.Intake.Stores) > 0 {
		r.Errorf(n, "this node does not have the role ingest, so it does not use the sections \"directories\", \"scrape\" and \"stores\"; add the role ingest, or remove these sections")
	}
}
