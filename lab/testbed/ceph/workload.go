//go:build linux

package ceph

import (
	"context"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// requestsAtOnce is how many requests each stream of the run has open.
const requestsAtOnce = 4

// objectKB is the size of the objects of a client.
func (c *service) objectKB(client string) int {
	if client == "c1" {
		return c.Run.Ceph.ObjectKB
	}
	return c.Run.Ceph.OtherKB
}

// mode is what rados bench of a client does.
func (c *service) mode(client string) string {
	switch c.Run.Workload {
	case testbed.RadosSeq:
		return "seq"
	case testbed.RadosRand:
		return "rand"
	case testbed.RadosMix:
		if client == "c2" {
			return "rand"
		}
	}
	return "write"
}

// bench are the words of rados bench of a client. What is read was written under the same name.
func (c *service) bench(client, mode, name string, seconds, atOnce int) []string {
	words := []string{
		"rados", "-c", c.conf(), "-p", "p", "bench", fmt.Sprint(seconds), mode, "-t", fmt.Sprint(atOnce), "--run-name", name, "--no-cleanup",
	}
	if mode == "write" {
		words = append(words, "-b", fmt.Sprint(c.objectKB(client)<<10))
	}
	return words
}

// read is the name under which a client writes the objects that it reads.
func read(client string) string { return "read-" + client }

// The time, in seconds, and the amount that are enough to write what is read. A client reads all
// objects again and again: BlueStore does not keep them in memory.
const (
	prepareSeconds = 15
	prepareMB      = 150
)

// Prepare writes the objects that clients read, and the objects that an OSD missed.
func (c *service) Prepare(ctx context.Context) error {
	p := &bench.Processes{Log: c.Log}
	for _, client := range c.Clients() {
		if c.mode(client) == "write" {
			continue
		}
		objects := max(prepareMB<<10/c.objectKB(client), 1)
		words := append(c.bench(client, "write", read(client), prepareSeconds, 16), "--max-objects", fmt.Sprint(objects))
		if err := p.Start(c.In(client, words...)...); err != nil {
			return err
		}
	}
	if err := p.Finish(ctx); err != nil {
		return err
	}
	return c.neglect(ctx)
}

// Work starts the workload of all clients. A client that reads in order begins again when it has read
// all. What a hung OSD does to clients is part of the experiment, so a command that fails is tried
// again.
func (c *service) Work(p *bench.Processes) error {
	for _, client := range c.Clients() {
		mode, name := c.mode(client), "work-"+client
		if mode != "write" {
			name = read(client)
		}
		seconds := int((c.Run.Duration() + 2*time.Minute).Seconds())
		words := c.bench(client, mode, name, seconds, requestsAtOnce*c.Run.Streams)
		loop := []string{"bash", "-c", `exec >/dev/null 2>&1; while :; do "$@" || sleep 1; done`, "bench"}
		if err := p.Start(c.In(client, append(loop, words...)...)...); err != nil {
			return err
		}
	}
	return nil
}
