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

// bench returns the command line of rados bench for a client. To read objects, it needs the name
// under which they were written.
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

// Limits for writing the objects that are read later: time in seconds, and amount. A client reads
// all objects again and again: BlueStore does not keep them in memory.
const (
	prepareSeconds = 15
	prepareMB      = 150
)

// Prepare writes the objects or images that clients use, and the objects that an OSD missed.
func (c *service) Prepare(ctx context.Context) error {
	p := &bench.Processes{Log: c.Log}
	if c.Run.Workload == testbed.RBD {
		if err := c.createImages(ctx, p); err != nil {
			return err
		}
	}
	for _, client := range c.Clients() {
		if c.Run.Workload == testbed.RBD || c.mode(client) == "write" {
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
		if c.Run.Workload == testbed.RBD {
			words = c.fio(client, "--rw=randrw", fmt.Sprintf("--rwmixread=%d", c.Run.ReadPart), fmt.Sprintf("--bs=%dk", c.Run.BlockKB),
				fmt.Sprintf("--iodepth=%d", requestsAtOnce*c.Run.Streams), "--time_based", fmt.Sprintf("--runtime=%d", seconds))
		}
		loop := []string{"bash", "-c", `exec >/dev/null 2>&1; while :; do "$@" || sleep 1; done`, "bench"}
		if err := p.Start(c.In(client, append(loop, words...)...)...); err != nil {
			return err
		}
	}
	return nil
}

// imageMB is the size of the image of a client.
const imageMB = 256

// createImages makes an image of RBD for each client, and starts to write all of it. The names of
// images need a pool with copies, also where their data are erasure-coded.
func (c *service) createImages(ctx context.Context, p *bench.Processes) error {
	create := []string{"rbd", "-c", c.conf(), "create", "--image-feature", "layering", "--size", fmt.Sprint(imageMB)}
	if c.Run.Volume == testbed.Dispersed {
		if err := c.all(ctx, "osd pool set p allow_ec_overwrites true", "osd pool create names 8 8 replicated"); err != nil {
			return err
		}
		create = append(create, "--data-pool", "p")
	}
	if err := c.all(ctx, "osd pool application enable --yes-i-really-mean-it "+c.imagePool()+" rbd"); err != nil {
		return err
	}
	for _, client := range c.Clients() {
		words := c.In(client, append(create, c.imagePool()+"/"+client)...)
		if err := bench.Command(ctx, words[0], words[1:]...); err != nil {
			return err
		}
		if err := p.Start(c.In(client, c.fio(client, "--rw=write", "--bs=1m", "--iodepth=8")...)...); err != nil {
			return err
		}
	}
	return nil
}

// imagePool is the pool with the names of the images.
func (c *service) imagePool() string {
	if c.Run.Volume == testbed.Dispersed {
		return "names"
	}
	return "p"
}

// fio are the words of fio that uses the image of a client.
func (c *service) fio(client string, how ...string) []string {
	words := []string{
		"env", "CEPH_CONF=" + c.conf(), "fio", "--name=rbd", "--ioengine=rbd", "--clientname=admin", "--pool=" + c.imagePool(), "--rbdname=" + client,
		"--direct=1", "--output=/dev/null",
	}
	return append(words, how...)
}
