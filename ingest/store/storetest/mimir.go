package storetest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tenant is the tenant of all samples, in a store that has tenants.
const Tenant = "storage"

// mimirNodes is the number of nodes of a Mimir. Each node stores every sample.
const mimirNodes = 3

// mimirPath is the path under which Mimir serves the API of Prometheus.
const mimirPath = "/prometheus"

// mimirConfig is the configuration of a node. The configuration is a format string. Its arguments
// are the name of the node, the ports of HTTP, gRPC and gossip, the nodes to join, the shared
// directory of blocks, and the node's own directory. Queries for samples of any age go to the
// ingesters (query_ingesters_within: 0s). So a test can read samples before they are in blocks. The
// timeout of a distributor (remote_timeout) is 2 minutes instead of the default 2 s, because tests
// may run on a busy machine.
const mimirConfig = `
multitenancy_enabled: true
no_auth_tenant: none
usage_stats: {enabled: false}
server: {http_listen_address: 127.0.0.1, http_listen_port: %[2]d, grpc_listen_address: 127.0.0.1, grpc_listen_port: %[3]d, log_level: warn}
memberlist: {bind_addr: [127.0.0.1], advertise_addr: 127.0.0.1, bind_port: %[4]d, advertise_port: %[4]d, join_members: [%[5]s]}
ingester:
  ring: {instance_id: %[1]s, instance_addr: 127.0.0.1, instance_port: %[3]d, replication_factor: 3, min_ready_duration: 0s, final_sleep: 0s, kvstore: {store: memberlist}}
distributor:
  remote_timeout: 2m
  ring: {instance_id: %[1]s, instance_addr: 127.0.0.1, instance_port: %[3]d, kvstore: {store: memberlist}}
store_gateway:
  sharding_ring: {instance_id: %[1]s, instance_addr: 127.0.0.1, instance_port: %[3]d, replication_factor: 1, kvstore: {store: memberlist}}
compactor:
  data_dir: %[7]s/compactor
  sharding_ring: {instance_id: %[1]s, instance_addr: 127.0.0.1, instance_port: %[3]d, kvstore: {store: memberlist}}
querier: {query_store_after: 0s}
blocks_storage:
  backend: filesystem
  filesystem: {dir: %[6]s}
  tsdb: {dir: %[7]s/tsdb}
  bucket_store: {sync_dir: %[7]s/sync}
ruler_storage: {backend: filesystem, filesystem: {dir: %[7]s/rules}}
limits:
  query_ingesters_within: 0s
  ingestion_rate: 1e9
  ingestion_burst_size: 1000000000
  max_global_series_per_user: 0
`

// startMimir starts three nodes that form one Mimir. It returns the address of the first
// node.
func startMimir(t testing.TB) string {
	t.Helper()
	program, blocks := Program(t, Mimir), t.TempDir()
	var http, grpc, gossip [mimirNodes]int
	var join []string
	for i := range mimirNodes {
		http[i], grpc[i], gossip[i] = freePort(t), freePort(t), freePort(t)
		join = append(join, fmt.Sprintf("'127.0.0.1:%d'", gossip[i]))
	}
	for i := range mimirNodes {
		own := t.TempDir()
		file := filepath.Join(own, "mimir.yaml")
		text := fmt.Sprintf(mimirConfig, fmt.Sprint("n", i), http[i], grpc[i], gossip[i], strings.Join(join, ", "), blocks, own)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		runIn(t, own, program, "-config.file="+file, "-target=distributor,ingester,querier,store-gateway")
	}
	for i := range mimirNodes {
		await(t, Mimir, fmt.Sprintf("http://127.0.0.1:%d/ready", http[i]))
	}
	return fmt.Sprintf("http://127.0.0.1:%d%s", http[0], mimirPath)
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
