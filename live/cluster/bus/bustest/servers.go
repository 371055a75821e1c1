package bustest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// serversWithin is the time limit for the start of the NATS servers.
const serversWithin = time.Minute

// FreePorts returns n free TCP ports.
func FreePorts(tb testing.TB, n int) (ports []int) {
	tb.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// Servers starts three NATS servers that form a cluster.
func Servers(tb testing.TB) (list []*server.Server, urls []string) {
	tb.Helper()
	ports := FreePorts(tb, 3)
	var routes []string
	for _, port := range ports {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: tb.TempDir(), NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			tb.Fatal(err)
		}
		s.Start()
		tb.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		list = append(list, s)
	}
	for _, s := range list {
		if !s.ReadyForConnections(serversWithin) {
			tb.Fatal("NATS does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	return list, urls
}
