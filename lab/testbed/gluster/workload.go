//go:build linux

package gluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// fileMB is the size of the files that are read and written. All of them are
// read or written anew in about half a minute.
const fileMB = 80

// jobs are one shell command for each stream of a client. A command that fails
// is tried again: what full disks and hanging servers do to clients is part of
// the experiment.
func (c *service) jobs(client string) []string {
	dir := filepath.Join(c.mount(client), "w-"+c.Run.Name+"-"+client)
	var all []string
	for j := range c.Run.Streams {
		file := filepath.Join(dir, fmt.Sprintf("f%d", j+1))
		all = append(all, "mkdir -p "+dir+"; while :; do "+c.job(dir, file)+" || sleep 1; done")
	}
	switch c.Run.Workload {
	case testbed.Fio: // it has streams of its own
		return all[:1]
	case testbed.PostMark: // small files cost processors more than disks
		return all[:1]
	}
	return all
}

// job is what a stream does again and again. What is written is a new file each
// time, and its shards lie elsewhere.
func (c *service) job(dir, file string) string {
	switch c.Run.Workload {
	case testbed.DDR:
		return fmt.Sprintf("dd if=%s of=/dev/null bs=1M", file)
	case testbed.DDW:
		return fmt.Sprintf("rm -f %[1]s && dd if=/dev/zero of=%[1]s bs=1M count=%[2]d", file, fileMB)
	case testbed.IOzoneR: // read, read again
		return fmt.Sprintf("dd if=%s of=/dev/null bs=256k", file)
	case testbed.IOzoneW: // write, write again
		write := fmt.Sprintf("dd if=/dev/zero of=%s bs=256k count=%d conv=", file, fileMB*4)
		return "rm -f " + file + " && " + write + "fsync && " + write + "notrunc,fsync"
	case testbed.PostMark:
		return fmt.Sprintf("mkdir -p %s.d && printf '%%s\\n' %s 'set location %[1]s.d' run quit | postmark", file, postMark)
	}
	return c.fio(dir) + fmt.Sprintf(" --time_based --runtime=%d", int(c.Run.Duration().Seconds())+60)
}

// postMark has so many and so large files that disks are the limit, and not
// processors.
const postMark = "'set number 150' 'set transactions 300' 'set size 100000 2000000' 'set read 65536' 'set write 65536' 'set buffering false'"

func (c *service) fio(dir string) string {
	return fmt.Sprintf("fio --name=f --directory=%s --numjobs=%d --rw=rw --rwmixread=%d --bs=%dk --size=%dm --fsync=64 --randseed=%d --group_reporting",
		dir, c.Run.Streams, c.Run.ReadPart, c.Run.BlockKB, fileMB, c.Run.Volfile)
}

// prepare writes the files that the workload reads, before disks and links are limited.
func (c *service) prepare(ctx context.Context) error {
	if !c.Run.Workload.Reads() {
		return nil
	}
	p := &bench.Processes{Log: c.Log}
	for _, client := range c.Clients() {
		dir := filepath.Join(c.mount(client), "w-"+c.Run.Name+"-"+client)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if c.Run.Workload == testbed.Fio {
			if err := p.Start("bash", "-c", c.fio(dir)+" --create_only=1"); err != nil {
				return err
			}
			continue
		}
		for j := range c.Run.Streams {
			file := filepath.Join(dir, fmt.Sprintf("f%d", j+1))
			if err := p.Start("dd", "if=/dev/zero", "of="+file, "bs=1M", fmt.Sprintf("count=%d", fileMB), "conv=fsync"); err != nil {
				return err
			}
		}
	}
	return p.Finish(ctx)
}

// Work starts the workload of all clients. Bricks drop the data from the cache that a workload has
// read, and the data from which a brick is repaired.
func (c *service) Work(p *bench.Processes) error {
	if c.Run.Workload.Reads() || c.Run.Fault == testbed.SelfHeal {
		p.Go(c.forget)
	}
	for _, client := range c.Clients() {
		for _, job := range c.jobs(client) {
			if err := p.Start(c.In(client, "bash", "-c", quietly(job))...); err != nil {
				return err
			}
		}
	}
	return nil
}

// quietly keeps the output of tools in every round out of the log.
func quietly(job string) string { return strings.Join([]string{"exec >/dev/null 2>&1", job}, "; ") }
