package activity

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestClientTraffic: bytes that a server exchanges with clients count, with the name of the client if
// it has files and its address otherwise. Connections that the server opened and connections of other
// servers do not count. A client that appears has no traffic in its first step.
func TestClientTraffic(t *testing.T) {
	dir := t.TempDir()
	fs1, fs2, fs3 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3")
	client := attach(t, dir, "client1", "10.0.0.101", "10.1.0.101")
	for n := range uint64(3) {
		fs1.second(1, carrying(from("10.0.0.101", 1, 10), 90*n, 10*n), carrying(from("10.1.0.101", 1, 10), 3*n, 2*n),
			carrying(from("192.0.2.1", 1, 10), 70*n, 7*n), carrying(to("192.0.2.9", 1, 10), 55*n, 0), carrying(from("10.0.0.2", 1, 10), 1000*n, 1000*n))
		if n == 0 {
			fs2.second(1)
		} else {
			fs2.second(1, carrying(from("192.0.2.7", 1, 10), 60*n, 60*n))
		}
		fs3.second(1)
		client.second(1, carrying(to("10.0.0.1", 1, 10), 90*n, 90*n))
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: exchangeMetrics})
	var got strings.Builder
	for {
		row, err := a.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for s := range row.Gauges {
			fmt.Fprintln(&got, row.End-midnight.Unix(), a.System().Servers[s], row.Gauges[s].Clients)
		}
	}
	compare(t, got.String(), lines(
		"2 fs1 [{192.0.2.1 77} {client1 105}]", "2 fs2 []", "2 fs3 []",
		"3 fs1 [{192.0.2.1 77} {client1 105}]", "3 fs2 [{192.0.2.7 120}]", "3 fs3 []"))
}

// TestClientTrafficOverSteps: a step of several records has the mean of its seconds.
func TestClientTrafficOverSteps(t *testing.T) {
	dir := t.TempDir()
	fs1 := attach(t, dir, "fs1", "10.0.0.1")
	for i := range uint64(30) {
		fs1.second(1, carrying(from("10.0.0.9", 1, 10), 100*min(i, 25), 0))
	}
	a := networked(t, dir, Options{StepSeconds: 10, Metrics: exchangeMetrics, System: system(t, "servers: fs1\ndrives:\n  - devices: sdb\n    peers: all\nhosts: fs1\n")})
	got := ""
	for row, err := a.Next(t.Context()); err == nil; row, err = a.Next(t.Context()) {
		got += fmt.Sprintln(row.End-midnight.Unix(), row.Gauges[0].Clients)
	}
	compare(t, got, lines("20 [{10.0.0.9 100}]", "30 [{10.0.0.9 60}]"))
}
