package config

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/cluster"
)

const clustered = `
topology: site.yaml
cluster:
  nats: [nats://n1:4222, tls://n2:4222]
  name: site
  node: fs1
  roles: [ingest, worker]
  partitions: 64
  replicas: 5
  lease: 10s
  keep_rows: 48h
  keep_events: 1000h
  plots: false
  user: limpet
  password_file: secret
  tls: {ca: ca.pem}
`

func TestCluster(t *testing.T) {
	c, err := Parse("/etc/limpet/limpet.yaml", []byte(clustered))
	if err != nil {
		t.Fatal(err)
	}
	want := cluster.DefaultOptions()
	n := &want.NATS
	n.URLs, n.Cluster, n.Node, n.Replicas, n.LeaseTime = []string{"nats://n1:4222", "tls://n2:4222"}, "site", "fs1", 5, 10*time.Second
	n.User, n.PasswordFile, n.CAFile = "limpet", "/etc/limpet/secret", "/etc/limpet/ca.pem"
	want.Partitions, want.Plots, want.LogRetention.Rows, want.LogRetention.Output = 64, false, 48*time.Hour, 1000*time.Hour
	c.Cluster.NATS.Report, n.Report = nil, nil
	if !reflect.DeepEqual(*c.Cluster, want) {
		t.Errorf("%+v, want %+v", *c.Cluster, want)
	}
	if c, err := Parse("limpet.yaml", []byte("directories: x\n")); err != nil || c.Cluster != nil {
		t.Errorf("without a section: %+v, %v", c.Cluster, err)
	}
}

// TestClusterMistakes: each is named with its line and what would do.
func TestClusterMistakes(t *testing.T) {
	for change, want := range map[string]string{
		"topology: site.yaml→":                                 "needs a topology",
		"  name: site→":                                        "name",
		"nats://n1:4222→n1":                                    "is not an address of a NATS server",
		"worker]→boss]":                                        "role boss is unknown",
		"partitions: 64→partitions: 0":                         "limpet.yaml:8",
		"replicas: 5→replicas: 2":                              "1, 3 or 5",
		"lease: 10s→lease: 1ms":                                "limpet.yaml:10",
		"keep_events: 1000h→keep_events: 2h":                   "to at least the same time",
		"  user: limpet→":                                      "belong together",
		"lease: 10s→leese: 10s":                                "leese",
		"  tls: {ca: ca.pem}→":                                 "is on another machine, so the connection needs TLS",
		"  tls: {ca: ca.pem}→  insecure_open_to_network: true": "",
		"roles: [ingest, worker]→roles: [worker]":              "",
		"topology: site.yaml\ncluster:→topology: site.yaml\ndirectories: x\ncluster:": "",
	} {
		old, now, _ := strings.Cut(change, "→")
		text := strings.Replace(clustered, old, now, 1)
		_, err := Parse("limpet.yaml", []byte(text))
		switch {
		case text == clustered:
			t.Errorf("%q changes nothing", change)
		case want == "" && err != nil:
			t.Errorf("%s: %v", change, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
	reads := "directories: x\n" + strings.Replace(clustered, "roles: [ingest, worker]", "roles: [api]", 1)
	if _, err := Parse("limpet.yaml", []byte(reads)); err == nil || !strings.Contains(err.Error(), "role ingest") {
		t.Errorf("files of a node that reads none: %v", err)
	}
}
