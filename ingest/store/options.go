package store

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// Protocols by which raw samples are read from a store. With the kind `auto`, Open tries all
// protocols.
const (
	auto       = "auto"
	remoteRead = "remote-read"
	export     = "export"
	query      = "query"
)

// Options describe the connection to a store. Users write them as YAML:
//
//	url: https://mimir.example/prometheus
//	kind: auto                        # or remote-read, export (VictoriaMetrics), query
//	tenant: storage                   # sent as X-Scope-OrgID and THANOS-TENANT, for stores with tenants
//	basic: {user: limpet, password_file: /etc/limpet/store.password}
//	bearer_file: /etc/limpet/store.token
//	tls: {ca: site.pem, certificate: own.pem, key: own.key, server_name: mimir}
//	server_label: instance            # the label with the name of a server; limpet removes the port
//	by_nodename: false                # true: use the names that servers themselves export
//	match: {cluster: a}               # read only series with these labels
//	timeout: 2m                       # longest time for one answer
//	attempts: 6                       # attempts for one answer; the pauses between attempts grow, up to 15 s
//
// Secrets are in separate files.
type Options struct {
	Post   post.Options
	Kind   string // protocol by which raw samples are read, or `auto`
	Tenant string
	// ServerLabel is the label with the server's name. If ByNodename is set, the name
	// that the server itself exports is used instead.
	ServerLabel string
	ByNodename  bool
	Match       map[string]string // for each label: the value that it must have
	Attempts    int
	FirstPause  time.Duration // pause after the first attempt; each later pause is twice as long, up to longestPause
}

// DefaultOptions returns the default options. The caller must set the address.
func DefaultOptions() Options {
	return Options{
		Post: post.Options{Timeout: 2 * time.Minute}, Kind: auto, ServerLabel: "instance",
		Attempts: 6, FirstPause: time.Second / 2,
	}
}

// Validate returns an error if an option is wrong. It reads no files.
func (o *Options) Validate() error {
	switch {
	case o.Post.URL == "":
		return fmt.Errorf("the address of the store is missing; write the setting \"url\", such as url: https://host:port")
	case !slices.Contains([]string{auto, remoteRead, export, query}, o.Kind):
		return fmt.Errorf("kind %q of a store is unknown: use auto, remote-read, export or query", o.Kind)
	case o.ServerLabel == "":
		return fmt.Errorf("the label that contains the name of the server is missing: give the name of the label, usually instance")
	case o.Attempts < 1 || o.Attempts > mostAttempts:
		return fmt.Errorf("%d attempts are not possible: give 1 to %d", o.Attempts, mostAttempts)
	}
	return nil
}

// Largest values of the settings `attempts` and `timeout`.
const (
	mostAttempts   = 100
	longestTimeout = time.Hour
)

// Parse reads a file that describes a store. The caller passes the path of the file. Error messages
// contain this path. Relative paths in the file are relative to the directory of the file.
func Parse(name string, data []byte) (Options, error) {
	d := yamlfile.New(name)
	o := DefaultOptions()
	Read(d, d.Root(data, "url: https://host:port"), filepath.Dir(name), &o)
	return o, d.Err()
}

// keys has the YAML keys that the description of a store may have.
var keys = []string{"url", "kind", "tenant", "basic", "bearer_file", "tls", "credentials_in_clear", "server_label", "by_nodename", "match", "timeout", "attempts"}

// Read reads the description of a store into o. The description is a node of a YAML file. It may
// have the keys in `keys`, and the keys in the parameter `others`. Read returns the node of each
// key.
func Read(d *yamlfile.Decoder, n *yaml.Node, dir string, o *Options, others ...string) map[string]*yaml.Node {
	if n == nil {
		return nil
	}
	r := reader{d, dir}
	f := d.Fields(n, "a store", append(others, keys...)...)
	r.text(f["url"], &o.Post.URL)
	r.text(f["kind"], &o.Kind)
	r.text(f["tenant"], &o.Tenant)
	r.path(f["bearer_file"], &o.Post.BearerFile)
	r.text(f["server_label"], &o.ServerLabel)
	r.bool(f["by_nodename"], &o.ByNodename)
	r.bool(f["credentials_in_clear"], &o.Post.CredentialsInClear)
	b := d.Fields(f["basic"], "basic", "user", "password_file")
	r.text(b["user"], &o.Post.Username)
	r.path(b["password_file"], &o.Post.PasswordFile)
	t := d.Fields(f["tls"], "tls", "ca", "certificate", "key", "server_name")
	r.path(t["ca"], &o.Post.CAFile)
	r.path(t["certificate"], &o.Post.CertFile)
	r.path(t["key"], &o.Post.KeyFile)
	r.text(t["server_name"], &o.Post.ServerName)
	r.match(f["match"], o)
	r.value(f["timeout"], bounded.Duration(&o.Post.Timeout, time.Second, longestTimeout))
	r.value(f["attempts"], bounded.Int(&o.Attempts, 1, mostAttempts, "attempts"))
	if err := o.Validate(); err != nil {
		d.Errorf(n, "%v", err)
	}
	return f
}

// reader reads YAML values into options. If a key is absent, the option keeps its value.
type reader struct {
	*yamlfile.Decoder
	dir string
}

func (r reader) text(n *yaml.Node, to *string) {
	if n != nil {
		*to = r.Text(n)
	}
}

func (r reader) bool(n *yaml.Node, to *bool) {
	if n != nil {
		*to = r.Choice(n, "true", "false") == "true"
	}
}

func (r reader) path(n *yaml.Node, to *string) {
	if r.text(n, to); n != nil && *to != "" && !filepath.IsAbs(*to) {
		*to = filepath.Join(r.dir, *to)
	}
}

func (r reader) value(n *yaml.Node, to bounded.Value) {
	if n == nil {
		return
	}
	if err := to.Set(r.Text(n)); err != nil {
		r.Errorf(n, "%v", err)
	}
}

func (r reader) match(n *yaml.Node, o *Options) {
	if n == nil {
		return
	}
	o.Match = map[string]string{}
	for _, p := range r.Pairs(n, "match") {
		o.Match[p.Key] = r.Text(p.Value)
	}
}

// matches returns the conditions of Options.Match, sorted by name.
func (o *Options) matches() (list []Match) {
	for _, name := range slices.Sorted(maps.Keys(o.Match)) {
		list = append(list, Match{Name: name, Value: o.Match[name]})
	}
	return list
}

// header returns HTTP headers with the tenant, if a tenant is set.
func (o *Options) header() http.Header {
	h := http.Header{}
	if o.Tenant != "" {
		h.Set("X-Scope-OrgID", o.Tenant)
		h.Set("THANOS-TENANT", o.Tenant)
	}
	return h
}

// IsAddress reports whether an argument is the address of a store. Any other argument is
// the path of a file.
func IsAddress(word string) bool {
	return strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://")
}
