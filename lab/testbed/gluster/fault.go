//go:build linux

package gluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// injection is the fault of a run while it lasts.
type injection struct {
	*Cluster
	server string
	p      *processes // that make it; they live for as long as it lasts
	// What comes and goes runs beside, until it is stopped.
	stopPulse func() error
	pulseErr  error
}

// inject puts the fault in place, and returns what takes it away.
func (c *Cluster) inject(ctx context.Context) (*injection, error) {
	in := &injection{Cluster: c, server: c.run.ServerName(), p: &processes{log: c.log}}
	return in, in.begin(ctx)
}

func (in *injection) begin(ctx context.Context) error {
	n := int(in.run.Strength)
	switch in.run.Fault {
	case testbed.DiskHogR, testbed.DiskHogW, testbed.DiskBusyR, testbed.DiskBusyW:
		return in.useDisk(n)
	case testbed.NetHogR:
		return in.hogNetwork(n, in.server, "h", in.net+".103")
	case testbed.NetHogW:
		return in.hogNetwork(n, "h", in.server, fmt.Sprintf("%s.%d", in.net, in.run.Server))
	case testbed.LossRecv:
		return in.lose(ctx, "-I", in.server, "-i", "e0")
	case testbed.LossSend:
		return in.loseSent(ctx, "-I")
	case testbed.DiskSlow:
		return in.limitDisk(in.server, in.run.Strength)
	case testbed.LinkFlap:
		in.flap()
	case testbed.Hang:
		in.hang()
	case testbed.DiskFull:
		return in.fill()
	case testbed.SelfHeal:
		return in.mend(ctx)
	}
	return nil
}

// check reports a fault that has ended by itself.
func (in *injection) check() error {
	if err := in.p.running(); err != nil {
		return fmt.Errorf("fault %s: %w", in.run.Fault, err)
	}
	return nil
}

// end takes the fault away.
func (in *injection) end(ctx context.Context) error {
	in.p.stop(syscall.SIGKILL)
	switch in.run.Fault {
	case testbed.LossRecv:
		return in.lose(ctx, "-D", in.server, "-i", "e0")
	case testbed.LossSend:
		return in.loseSent(ctx, "-D")
	case testbed.DiskSlow:
		return in.limitDisk(in.server, 1)
	case testbed.LinkFlap, testbed.Hang:
		return in.stopPulse()
	case testbed.DiskFull:
		return os.Remove(in.filler())
	case testbed.SelfHeal:
		return in.mended()
	}
	return nil
}

// Where on loop A the server's file system does not reach, and how much is read
// and written there.
const (
	behindMB = 1310
	rangeMB  = 250
)

// useDisk reads or writes without pause, with n requests at once: on the device
// that the server sees, or on the one below it.
func (in *injection) useDisk(n int) error {
	a, errA := in.loop(in.server, "A")
	b, errB := in.loop(in.server, "B")
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	var where []string
	switch in.run.Fault {
	case testbed.DiskHogR:
		where = []string{"--rw=read", "--filename=" + b, fmt.Sprintf("--size=%dm", rangeMB)}
	case testbed.DiskHogW:
		where = []string{"--rw=write", "--filename=" + filepath.Join(in.brick(in.server), "hog"), "--size=40m"}
	case testbed.DiskBusyR:
		where = []string{"--rw=read", "--filename=" + a, fmt.Sprintf("--offset=%dm", behindMB), fmt.Sprintf("--size=%dm", rangeMB)}
	default:
		where = []string{"--rw=write", "--filename=" + a, fmt.Sprintf("--offset=%dm", behindMB), fmt.Sprintf("--size=%dm", rangeMB)}
	}
	args := []string{
		"fio", "--name=hog", "--bs=1m", "--direct=1", "--ioengine=libaio", fmt.Sprintf("--iodepth=%d", n),
		"--time_based", "--runtime=1h", "--output=/dev/null",
	}
	return in.p.start(in.in(in.server, append(args, where...)...)...)
}

// hogPort is the first port of network hogs.
const hogPort = 5200

// hogNetwork has n streams flow from one host to another, whose address is
// given.
func (in *injection) hogNetwork(n int, from, to, address string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for j := range n {
		port := fmt.Sprint(hogPort + j)
		if err := in.p.start(in.in(to, self, "hog", "listen", ":"+port)...); err != nil {
			return err
		}
		if err := in.p.start(in.in(from, self, "hog", "send", address+":"+port)...); err != nil {
			return err
		}
	}
	return nil
}

// lose has a host drop packets on arrival, or no longer.
func (in *injection) lose(ctx context.Context, how, host string, match ...string) error {
	args := in.in(host, append([]string{"iptables", how, "INPUT"}, match...)...)
	args = append(args, "-m", "statistic", "--mode", "random", "--probability", fmt.Sprintf("%.4f", in.run.Strength/100), "-j", "DROP")
	return command(ctx, args[0], args[1:]...)
}

// loseSent has the clients drop what comes from the server. A filter on the
// server itself would tell its TCP, and no loss does that.
func (in *injection) loseSent(ctx context.Context, how string) error {
	for _, client := range clients() {
		if err := in.lose(ctx, how, client, "-s", fmt.Sprintf("%s.%d", in.net, in.run.Server)); err != nil {
			return err
		}
	}
	return nil
}

const (
	flapEvery = 12 * time.Second
	hangEvery = 30 * time.Second
)

// pulse does what is bad for so many seconds of every period, and what is good
// for the rest, until the fault ends.
func (in *injection) pulse(period time.Duration, bad, good func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	in.stopPulse = func() error {
		cancel()
		wait.Wait()
		return errors.Join(in.pulseErr, good())
	}
	spell := time.Duration(in.run.Strength * float64(time.Second))
	wait.Go(func() {
		for in.pulseErr == nil && ctx.Err() == nil {
			in.pulseErr = bad()
			_ = sleep(ctx, spell) // the loop looks at the context
			in.pulseErr = errors.Join(in.pulseErr, good())
			_ = sleep(ctx, period-spell)
		}
	})
}

// flap takes the link of the server down and up again.
func (in *injection) flap() {
	set := func(how string) func() error {
		return func() error { return command(context.Background(), "ip", "link", "set", in.link(in.server), how) }
	}
	in.pulse(flapEvery, set("down"), set("up"))
}

// hang stops the file server, and lets it go on.
func (in *injection) hang() {
	in.pulse(hangEvery, func() error { return in.signalBrick(syscall.SIGSTOP) }, func() error { return in.signalBrick(syscall.SIGCONT) })
}

func (in *injection) filler() string { return filepath.Join(in.brick(in.server), "filler") }

// fill leaves the file system of the brick so many megabytes.
func (in *injection) fill() error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(in.brick(in.server), &fs); err != nil {
		return err
	}
	free := int64(fs.Bavail)*fs.Bsize - int64(in.run.Strength)<<20
	return command(context.Background(), "fallocate", "-l", fmt.Sprint(max(free, 1)), in.filler())
}
