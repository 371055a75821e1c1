//go:build linux

package ceph

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// The periods of faults that come and go.
const (
	hangEvery   = 30 * time.Second
	daemonEvery = 500 * time.Millisecond
)

// Inject starts the faults of daemons, and the work of Ceph itself.
func (c *service) Inject(ctx context.Context) (end func(context.Context) error, ok bool, err error) {
	stop := func() error { return c.signal(syscall.SIGSTOP) }
	carryOn := func() error { return c.signal(syscall.SIGCONT) }
	osd := c.Run.Ceph.OSD
	switch c.Run.Fault {
	case testbed.Hang:
		return bench.Pulse(hangEvery, bench.Seconds(c.Run.Strength), stop, carryOn), true, nil
	case testbed.DaemonSlow:
		spell := time.Duration(c.Run.Strength / 100 * float64(daemonEvery))
		return bench.Pulse(daemonEvery, spell, stop, carryOn), true, nil
	case testbed.OSDFull:
		return c.after("osd pool delete fill fill --yes-i-really-really-mean-it"), true, c.fill(ctx, c.Run.Strength/100)
	case testbed.Load:
		return c.moreLoad()
	case testbed.Scrub:
		return c.after("osd set noscrub"), true, c.all(ctx, "osd unset noscrub", fmt.Sprintf("osd scrub %d", osd))
	case testbed.DeepScrub:
		return c.after("osd set nodeep-scrub"), true, c.all(ctx, "osd unset nodeep-scrub", fmt.Sprintf("osd deep-scrub %d", osd))
	case testbed.Recovery:
		return c.after(), true, c.all(ctx, "osd unset norecover", "osd unset noout")
	case testbed.Backfill:
		return c.after(), true, c.all(ctx, fmt.Sprintf("osd in %d", osd))
	}
	return nil, false, nil
}

// moreLoad starts the workload of all clients again, as often as the run says.
func (c *service) moreLoad() (end func(context.Context) error, ok bool, err error) {
	p := &bench.Processes{Log: c.Log}
	for range int(c.Run.Strength) - 1 {
		if err := c.Work(p); err != nil {
			return nil, true, err
		}
	}
	return func(context.Context) error {
		p.Stop(syscall.SIGKILL)
		return nil
	}, true, nil
}

// after returns a function that runs commands of Ceph.
func (c *service) after(commands ...string) func(context.Context) error {
	return func(ctx context.Context) error { return c.all(ctx, commands...) }
}

// neglect makes an OSD miss writes, takes its placement groups away until the run gives them back, or
// fills most of it.
func (c *service) neglect(ctx context.Context) error {
	osd := c.Run.Ceph.OSD
	switch c.Run.Fault {
	case testbed.Recovery:
		if err := c.all(ctx, "osd set noout", "osd set norecover", "osd set nobackfill"); err != nil {
			return err
		}
		if err := c.signal(syscall.SIGKILL); err != nil {
			return err
		}
		if err := c.all(ctx, fmt.Sprintf("osd down %d", osd)); err != nil {
			return err
		}
		if err := c.write(ctx, "missed"); err != nil {
			return err
		}
		start := fmt.Sprintf(`nsenter --net=/run/netns/%s unshare -u bash -c 'hostname s%d; exec ceph-osd -c %s -i %d --setuser root --setgroup root </dev/null'`,
			c.Namespace(c.Run.ServerName()), c.Run.Server, c.conf(), osd)
		if err := c.Script(ctx, start); err != nil {
			return err
		}
		if err := bench.Patiently(ctx, func() error { return c.up(ctx) }); err != nil {
			return err
		}
		return c.all(ctx, "osd unset nobackfill")
	case testbed.Backfill:
		if err := c.all(ctx, fmt.Sprintf("osd out %d", osd)); err != nil {
			return err
		}
		return c.write(ctx, "missed")
	case testbed.OSDFull:
		if err := c.fillable(ctx); err != nil {
			return err
		}
		return c.fill(ctx, healthyShare)
	}
	return nil
}

// write writes objects for as many seconds as the run says.
func (c *service) write(ctx context.Context, name string) error {
	words := c.In("c1", c.bench("c1", "write", name, int(c.Run.Strength), 16)...)
	return bench.Command(ctx, words[0], words[1:]...)
}

// up returns an error if an OSD is not up.
func (c *service) up(ctx context.Context) error {
	said, err := c.ceph(ctx, "osd", "stat")
	if n := c.Run.Ceph.OSDs(); err == nil && !strings.Contains(said, fmt.Sprintf("%d up", n)) {
		err = fmt.Errorf("some of the %d OSDs are not up: %s", n, said)
	}
	return err
}

// healthyShare is the share of free space that an OSD has before it becomes nearly full. The rest is
// written while the disk has its limit, and must take seconds, not minutes.
const healthyShare = 0.055

// fillable makes a pool whose objects are all on the OSD of the fault.
func (c *service) fillable(ctx context.Context) error {
	if err := c.all(ctx, "osd pool create fill 1 1 replicated", "osd pool set fill size 1 --yes-i-really-mean-it"); err != nil {
		return err
	}
	text, err := c.ceph(ctx, "pg", "ls-by-pool", "fill", "-f", "json")
	if err != nil {
		return err
	}
	var listed struct {
		Groups []struct {
			ID string `json:"pgid"`
		} `json:"pg_stats"`
	}
	if err := json.Unmarshal([]byte(text), &listed); err != nil {
		return fmt.Errorf("the output of ceph pg ls-by-pool cannot be read: %w", err)
	}
	if len(listed.Groups) != 1 {
		return fmt.Errorf("the output of ceph pg ls-by-pool names %d placement groups of the pool fill, not one", len(listed.Groups))
	}
	return c.all(ctx, fmt.Sprintf("osd pg-upmap %s %d", listed.Groups[0].ID, c.Run.Ceph.OSD))
}

// fill writes objects until the OSD of the fault has a share of its space left. A client writes them:
// a process on the host of the OSD would be a disk hog.
func (c *service) fill(ctx context.Context, share float64) error {
	const most = 5 // rounds: an OSD needs some space for its database, which nobody foresees
	for range most {
		total, free, err := c.space()
		if err != nil {
			return err
		}
		objects := int(free-share*total) >> 20
		if objects <= 0 {
			return nil
		}
		words := c.In("c1", "rados", "-c", c.conf(), "-p", "fill", "bench", "300", "write", "-b", fmt.Sprint(1<<20), "-t", "2",
			"--max-objects", fmt.Sprint(objects), "--run-name", fmt.Sprint("fill", objects), "--no-cleanup")
		if err := bench.Command(ctx, words[0], words[1:]...); err != nil {
			return err
		}
		if err := bench.Sleep(ctx, spaceEvery); err != nil {
			return err
		}
	}
	total, free, err := c.space()
	if err == nil && free > 1.2*share*total {
		err = fmt.Errorf("osd.%d still has %.1f %% of its space free after %d rounds of writes", c.Run.Ceph.OSD, 100*free/total, most)
	}
	return err
}

// spaceEvery is longer than an OSD takes to measure its space again.
const spaceEvery = 8 * time.Second

// space returns the size and the free space of the OSD of the fault, in bytes.
func (c *service) space() (total, free float64, err error) {
	text, err := ask(c.socket(c.Run.Ceph.OSD), "perf dump")
	if err != nil {
		return 0, 0, err
	}
	var dump struct {
		OSD struct {
			Bytes float64 `json:"stat_bytes"`
			Free  float64 `json:"stat_bytes_avail"`
		} `json:"osd"`
	}
	err = json.Unmarshal(text, &dump)
	return dump.OSD.Bytes, dump.OSD.Free, err
}
