//go:build linux

package ceph

import (
	"context"
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

// after returns a function that runs commands of Ceph.
func (c *service) after(commands ...string) func(context.Context) error {
	return func(ctx context.Context) error { return c.all(ctx, commands...) }
}

// neglect makes an OSD miss writes, or takes its placement groups away. It gets them back when the
// run says so.
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
	}
	return nil
}

// write writes objects for as many seconds as the run says.
func (c *service) write(ctx context.Context, name string) error {
	words := c.In("c1", c.bench("c1", "write", name, int(c.Run.Strength), 16)...)
	return bench.Command(ctx, words[0], words[1:]...)
}

// up reports an OSD that is not.
func (c *service) up(ctx context.Context) error {
	said, err := c.ceph(ctx, "osd", "stat")
	if n := c.Run.Ceph.OSDs(); err == nil && !strings.Contains(said, fmt.Sprintf("%d up", n)) {
		err = fmt.Errorf("some of the %d OSDs are not up: %s", n, said)
	}
	return err
}
