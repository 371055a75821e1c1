package jetstream

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/bus/bustest"
)

// patience is how long something is waited for that ought to happen soon.
const patience = time.Minute

// freePorts are ports that nobody listens at.
func freePorts(tb testing.TB, n int) (ports []int) {
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

// started starts three servers of NATS that are one cluster.
func started(tb testing.TB) (list []*server.Server, urls []string) {
	tb.Helper()
	ports := freePorts(tb, 3)
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
		if !s.ReadyForConnections(patience) {
			tb.Fatal("NATS does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	return list, urls
}

func options(urls []string) Options {
	o := DefaultOptions()
	o.URLs, o.Cluster, o.Node, o.LeaseTime = urls, "test", "me", time.Second
	return o
}

func connected(tb testing.TB, urls []string) *bus.Bus {
	tb.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c, err := Connect(ctx, options(urls))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c.Bus
}

// TestBus: three servers keep what they promise, and what they kept when one of them is
// gone.
func TestBus(t *testing.T) {
	list, urls := started(t)
	b := connected(t, urls)
	bustest.Test(t, b)
	list[0].Shutdown()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	log, err := b.Logs.Open(ctx, "log", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(ctx, bus.Record{Subject: "s0", ID: "after", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	r, err := log.Read(ctx, 19)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, want := range []string{"19", "x"} {
		if one, err := r.Next(ctx); err != nil || string(one.Data) != want {
			t.Fatalf("without a server: %q, %v, want %q", one.Data, err, want)
		}
	}
}

// TestOptions: mistakes are named with what would do.
func TestOptions(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"no server of NATS":      func(o *Options) { o.URLs = nil },
		"is no address of NATS":  func(o *Options) { o.URLs = []string{"host"} },
		"letters, digits":        func(o *Options) { o.Cluster = "a b" },
		"use 1, 3 or 5":          func(o *Options) { o.Replicas = 2 },
		"at least 1s":            func(o *Options) { o.LeaseTime = 0 },
		"user and password_file": func(o *Options) { o.User = "x" },
		"certificate and key":    func(o *Options) { o.KeyFile = "x" },
	} {
		o := options([]string{"nats://127.0.0.1:1"})
		if change(&o); o.Validate() == nil || !strings.Contains(o.Validate().Error(), want) {
			t.Errorf("%v, want %q", o.Validate(), want)
		}
	}
	o := options([]string{"nats://127.0.0.1:1"})
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
}
