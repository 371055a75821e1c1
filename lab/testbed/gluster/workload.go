//go:build linux

package gluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// fileMB is the size of the files that are read and written. The workload needs about half a minute
// to read or write all files once.
const fileMB = 80

// jobs returns one shell command for each stream of a client. A command that fails runs again: full
// disks and hanging servers are part of the experiment.
func (c *service) jobs(client string) []string {
	dir := c.dirOf(client)
	var all []string
	for j := range c.Run.Streams {
		file := filepath.Join(dir, fmt.Sprintf("f%d", j+1))
		all = append(all, c.keepOn(client, c.job(dir, file)))
	}
	switch c.Run.Workload {
	case testbed.Fio, testbed.Paced: // fio starts all streams itself
		return all[:1]
	case testbed.PostMark: // small files cost processors more than disks
		return all[:1]
	}
	return all
}

// dirOf returns the directory of the files of a client.
func (c *service) dirOf(client string) string {
	return filepath.Join(c.mount(client), "w-"+c.Run.Name+"-"+client)
}

// keepOn returns a shell command that runs a job of a client again and again.
func (c *service) keepOn(client, job string) string {
	return "mkdir -p " + c.dirOf(client) + "; while :; do " + job + " || sleep 1; done"
}

// job returns the shell command that a stream repeats. A job that writes creates a new file each
// time, so that its shards are on other servers.
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
	case testbed.Paced:
		return c.paced(dir, "f", c.Run.Streams, 1) + c.untilEnd()
	}
	return c.fio(dir) + c.untilEnd()
}

// untilEnd returns the arguments with which fio runs longer than the recording.
func (c *service) untilEnd() string {
	return fmt.Sprintf(" --time_based --runtime=%d", int(c.Run.Duration().Seconds())+60)
}

const (
	// pacedShare is the share of what the disks can read that all clients of the workload Paced ask
	// for together. With a client that quadruples its requests, they ask for 0.83 of it.
	pacedShare = 0.6
	// pacedMB is the size of a file of the workload Paced: it is read in more than half a minute, and
	// the files of eight clients fit on the disks.
	pacedMB = 40
	// pacedAhead is how far the kernel of a server reads ahead of a client, in kB. At the low rate of
	// the workload Paced, forget removes data that were read ahead before the client asks for them.
	// With the usual 128 kB and requests in order, disks read five times as much as the clients.
	pacedAhead = 16
)

// readAhead returns how far the kernels of servers read ahead, in kB; 0: as usual.
func readAhead(w testbed.Workload) int {
	if w == testbed.Paced {
		return pacedAhead
	}
	return 0
}

// paced returns the command of fio that reads files at a constant rate, with requests at random
// places. The files of a name are read by a number of streams, each at the given multiple of the usual
// rate. A stream that had to wait catches up. Requests at random times (rate_process=poisson) are not
// used: fio rounds their number per second down, to 0 if the requests are large.
func (c *service) paced(dir, name string, streams int, times float64) string {
	rate := times * pacedShare * float64(c.Run.DiskBytes) * testbed.Servers / testbed.ManyClients / float64(c.Run.Streams)
	return fmt.Sprintf("fio --name=%s --directory=%s --numjobs=%d --rw=randread --bs=%dk --size=%dm --rate=%d --randseed=%d --group_reporting",
		name, dir, streams, c.Run.BlockKB, pacedMB, int(rate), c.Run.Volfile)
}

// pacedMore returns the command by which a client sends more requests during the fault: a noisy client
// has more streams, and in a busy hour each stream of every client has a second one. The files are not
// read before, so that they are not in memory.
func (c *service) pacedMore(client string) string {
	streams, times := c.Run.Streams, c.Run.Strength-1
	if c.Run.Fault == testbed.NoisyClient {
		streams, times = streams*(int(c.Run.Strength)-1), 1
	}
	return c.paced(c.dirOf(client), "more", streams, times)
}

// withMore returns the clients that send more requests during the fault.
func (c *service) withMore() []string {
	switch c.Run.Fault {
	case testbed.NoisyClient:
		return []string{c.Run.ClientName()}
	case testbed.BusyHour:
		return c.Clients()
	}
	return nil
}

// postMark are the settings of PostMark. The files are so many and so large that disks are the
// limit, and not processors.
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
		dir := c.dirOf(client)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if c.Run.Workload == testbed.Fio {
			if err := p.Start("bash", "-c", c.fio(dir)+" --create_only=1"); err != nil {
				return err
			}
			continue
		}
		if c.Run.Workload == testbed.Paced {
			create := c.paced(dir, "f", c.Run.Streams, 1) + " --create_only=1"
			if slices.Contains(c.withMore(), client) {
				create += "; " + c.pacedMore(client) + " --create_only=1"
			}
			if err := p.Start("bash", "-c", create); err != nil {
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

// Work starts the workload of all clients. If the workload or a self-heal reads from bricks, Work
// also removes these data from the page cache again and again.
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

// quietly discards the output of a job, which would fill the log.
func quietly(job string) string { return strings.Join([]string{"exec >/dev/null 2>&1", job}, "; ") }
