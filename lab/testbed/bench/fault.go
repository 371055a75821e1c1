//go:build linux

package bench

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

// injection is the fault of a run, from its start to its end.
type injection struct {
	*Cluster
	server string
	p      *Processes // processes that cause the fault; they run until it ends
	after  func(context.Context) error
}

// inject starts the fault of the run. The caller must call end of the injection to remove the
// fault.
func (c *Cluster) inject(ctx context.Context, service Service) (*injection, error) {
	in := &injection{Cluster: c, server: c.Run.ServerName(), p: &Processes{Log: c.Log}}
	after, ok, err := service.Inject(ctx)
	if in.after = after; ok || err != nil {
		return in, err
	}
	return in, in.begin(ctx)
}

func (in *injection) begin(ctx context.Context) error {
	n := int(in.Run.Strength)
	switch in.Run.Fault {
	case testbed.DiskHogR, testbed.DiskHogW, testbed.DiskBusyR, testbed.DiskBusyW:
		return in.useDisk(n)
	case testbed.NetHogR:
		return in.hogNetwork(n, in.server, Bystander)
	case testbed.NetHogW:
		return in.hogNetwork(n, Bystander, in.server)
	case testbed.LossRecv:
		return in.lose(ctx, "-I", in.server, "-i", "e0")
	case testbed.LossSend:
		return in.loseSent(ctx, "-I")
	case testbed.DiskSlow:
		return in.slowDown(in.Run.Strength)
	case testbed.DiskDelay, testbed.TwoDelays, testbed.HostSlow, testbed.DBSlow:
		return in.delay(n, everyRequest)
	case testbed.DiskTail:
		return in.delay(n, tailPercent)
	case testbed.LinkFlap:
		in.flap()
	}
	return nil
}

// check returns an error if the fault has ended by itself.
func (in *injection) check() error {
	if err := in.p.Running(); err != nil {
		return fmt.Errorf("fault %s ended too early: %w", in.Run.Fault, err)
	}
	return nil
}

// end removes the fault.
func (in *injection) end(ctx context.Context) error {
	in.p.Stop(syscall.SIGKILL)
	if in.after != nil {
		return in.after(ctx)
	}
	switch in.Run.Fault {
	case testbed.LossRecv:
		return in.lose(ctx, "-D", in.server, "-i", "e0")
	case testbed.LossSend:
		return in.loseSent(ctx, "-D")
	case testbed.DiskSlow:
		return in.slowDown(1)
	case testbed.DiskDelay, testbed.TwoDelays, testbed.HostSlow, testbed.DBSlow, testbed.DiskTail:
		return in.delay(0, everyRequest)
	}
	return nil
}

// useDisk reads or writes without pause, with n requests at once:
//   - A disk hog uses device B, so the counters of the server show its requests.
//   - For a busy disk, the requests go to the last part of device A, which is below B. The counters
//     of the server do not show these requests.
func (in *injection) useDisk(n int) error {
	disk := in.hit()[0]
	a, errA := in.loop(&disk, "A")
	b, errB := in.loop(&disk, "B")
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	behind := []string{"--filename=" + a, fmt.Sprintf("--offset=%dm", disk.SeenMB), fmt.Sprintf("--size=%dm", disk.SpareMB)}
	var where []string
	switch in.Run.Fault {
	case testbed.DiskHogR:
		where = []string{"--rw=read", "--filename=" + b, fmt.Sprintf("--size=%dm", disk.SpareMB)}
	case testbed.DiskHogW:
		where = append([]string{"--rw=write"}, in.room(&disk, b)...)
	case testbed.DiskBusyR:
		where = append([]string{"--rw=read"}, behind...)
	default:
		where = append([]string{"--rw=write"}, behind...)
	}
	args := []string{
		"fio", "--name=hog", "--bs=1m", "--direct=1", "--ioengine=libaio", fmt.Sprintf("--iodepth=%d", n),
		"--time_based", "--runtime=1h", "--output=/dev/null", "--allow_mounted_write=1",
	}
	return in.p.Start(in.In(in.server, append(args, where...)...)...)
}

// hogMB is the size of the file that a hog writes again and again.
const hogMB = 40

// room returns the arguments of fio for the place where a hog may write on the device that the
// server sees. If the device has a file system, the hog writes to a file. If the storage system
// uses the device itself, the hog writes to the last part, which the storage system leaves free.
func (in *injection) room(d *Disk, seen string) []string {
	if d.FreeMB > 0 {
		return []string{"--filename=" + seen, fmt.Sprintf("--offset=%dm", d.SeenMB-d.FreeMB), fmt.Sprintf("--size=%dm", d.FreeMB)}
	}
	return []string{"--filename=" + filepath.Join(in.Top, d.Server, d.Mount, "hog"), fmt.Sprintf("--size=%dm", hogMB)}
}

// hogPort is the first port of network hogs.
const hogPort = 5200

// hogNetwork starts n streams from one host to another.
func (in *injection) hogNetwork(n int, from, to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for j := range n {
		port := fmt.Sprint(hogPort + j)
		if err := in.p.Start(in.In(to, self, "hog", "listen", ":"+port)...); err != nil {
			return err
		}
		if err := in.p.Start(in.In(from, self, "hog", "send", in.Address(to)+":"+port)...); err != nil {
			return err
		}
	}
	return nil
}

// lose adds (how is "-I") or removes ("-D") a rule by which a host drops a share of the packets
// that arrive.
func (in *injection) lose(ctx context.Context, how, host string, match ...string) error {
	args := in.In(host, append([]string{"iptables", how, "INPUT"}, match...)...)
	args = append(args, "-m", "statistic", "--mode", "random", "--probability", fmt.Sprintf("%.4f", in.Run.Strength/100), "-j", "DROP")
	return Command(ctx, args[0], args[1:]...)
}

// loseSent adds or removes the rules by which all other hosts drop packets from the server. If the
// server itself dropped the packets, its TCP would notice; a packet that is lost on the way is not
// noticed.
func (in *injection) loseSent(ctx context.Context, how string) error {
	others := in.Clients()
	if in.Layout.ServersTalk {
		others = in.Hosts()
	}
	for _, host := range others {
		if host == in.server {
			continue
		}
		if err := in.lose(ctx, how, host, "-s", in.Address(in.server)); err != nil {
			return err
		}
	}
	return nil
}

// The shares of requests, in percent, that a delay hits.
const (
	everyRequest = 100
	tailPercent  = 5
)

// delay adds ms milliseconds to a share of the requests, on all disks that the fault hits.
func (in *injection) delay(ms, percent int) error {
	for _, d := range in.hit() {
		rule := fmt.Sprintf("%s %dms %d%%\n", d.Server+"-"+d.Name, ms, percent)
		if err := os.WriteFile(filepath.Join(in.Top, "slow", delaysFile), []byte(rule), 0); err != nil {
			return err
		}
	}
	return nil
}

// flapEvery is the time from one loss of the link to the next.
const flapEvery = 12 * time.Second

// Pulse starts a fault with bad at the start of every period, and ends the fault with good after
// spell. The returned function stops the pulses and ends the fault.
func Pulse(period, spell time.Duration, bad, good func() error) (stop func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	var err error
	wait.Go(func() {
		for err == nil && ctx.Err() == nil {
			err = bad()
			_ = Sleep(ctx, spell) // the condition of the loop checks the context
			err = errors.Join(err, good())
			_ = Sleep(ctx, period-spell)
		}
	})
	return func(context.Context) error {
		cancel()
		wait.Wait()
		return errors.Join(err, good())
	}
}

// Seconds returns the strength of a fault as a time in seconds.
func Seconds(strength float64) time.Duration {
	return time.Duration(strength * float64(time.Second))
}

// flap takes the link of the server down and up again, until the fault ends.
func (in *injection) flap() {
	set := func(how string) func() error {
		return func() error { return Command(context.Background(), "ip", "link", "set", in.link(in.server), how) }
	}
	in.after = Pulse(flapEvery, Seconds(in.Run.Strength), set("down"), set("up"))
}
