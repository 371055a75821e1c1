package clickhouse

import (
	"testing"

	"github.com/limpet-storage/limpet/study/clickhouse/clickhousetest"
)

// A server is a clickhouse-server of the test's own.
type server struct {
	testing.TB
	*clickhousetest.Server
}

// startServers starts servers that are the shards of the cluster "all".
func startServers(t testing.TB, n int) []*server {
	t.Helper()
	var out []*server
	for _, s := range clickhousetest.Start(t, n) {
		out = append(out, &server{t, s})
	}
	return out
}

func (s *server) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}
