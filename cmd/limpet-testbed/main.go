package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/lab/testbed"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `Commands:
  limpet-testbed check    check whether this machine can run a test bench (a real storage system with faults)
  limpet-testbed record   record the runs that the seed chooses, except runs that are recorded already
  limpet-testbed loop     let limpet serve find and mask a slow part of a real Ceph by itself, and measure how fast clients write
  limpet-testbed draw     print the runs that the seed chooses, and record nothing
  limpet-testbed down     remove clusters that are left from a run that was killed

Flags:
`

// mostClusters is the largest number of clusters at the same time.
const mostClusters = 4

// The commands that the bench itself runs: network hogs, disks that can be slow, and HTTP requests
// within a namespace.
const (
	hogCommand    = "hog"
	imagesCommand = "images"
	getCommand    = "get"
)

// Exit codes. Without an error, the exit code is 0.
const (
	exitError = 1
	exitUsage = 2
)

// options holds the values of the flags.
type options struct {
	dir, work, recorder string
	limpet              string // path of the program limpet
	seed                uint64
	runs, slots         int
	system              testbed.System
	nice                bool
	faults              []testbed.Fault // empty: faults that the seed draws
	output              io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case hogCommand, imagesCommand, getCommand:
			return done(inner(ctx, args[0], args[1:], stdout), stderr)
		}
	}
	o := options{output: stdout, system: testbed.GlusterFS}
	fs := flag.NewFlagSet("limpet-testbed", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Func("system", "storage `system` of the runs: gluster (the default) or ceph", o.parseSystem)
	fs.StringVar(&o.dir, "dir", "limpet-testbed", "`directory` for the recorded runs and the files with the known faults")
	fs.Uint64Var(&o.seed, "seed", 1, "`seed` that chooses the runs at random")
	fs.IntVar(&o.runs, "runs", 60, "number of `runs`, including runs that are recorded already")
	fs.Func("faults", "record only these `faults` in turn, such as hang,disk-full,self-heal,none (default: all faults, as the seed draws them)", o.parseFaults)
	fs.IntVar(&o.slots, "clusters", 0, "number of `clusters` that run at the same time, up to 4 (default: 2 for gluster, 1 for ceph)")
	fs.StringVar(&o.work, "work", "/var/tmp/limpet-testbed", "`directory` for disks, mounts and logs during a run; each cluster of gluster needs 3 GB of free space, each cluster of ceph up to 20 GB")
	fs.BoolVar(&o.nice, "nice", false, "run with a low CPU priority, so that other programs of this machine are not slowed down. Diagnoses of such runs may be less accurate")
	fs.StringVar(&o.limpet, "limpet", "bin/limpet", "`path` of the program limpet, for the command loop")
	fs.StringVar(&o.recorder, "recorder", "bin/limpet-record", "`path` of the program limpet-record")
	fs.Usage = func() {
		fmt.Fprint(stderr, usage)
		fs.PrintDefaults()
	}
	if len(args) == 0 {
		fs.Usage()
		return exitUsage
	}
	if err := fs.Parse(args[1:]); err != nil {
		return exitUsage
	}
	if o.slots == 0 {
		o.slots = clusters(o.system)
	}
	does, ok := map[string]func(context.Context) error{"check": o.check, "record": o.record, "loop": o.loop, "draw": o.draw, "down": o.down}[args[0]]
	if !ok || fs.NArg() > 0 || o.slots < 0 || o.slots > mostClusters || o.runs < 1 {
		fs.Usage()
		return exitUsage
	}
	return done(does(ctx), stderr)
}

// clusters returns the number of clusters of a system that two processors can run.
func clusters(system testbed.System) int {
	if system == testbed.Ceph {
		return 1
	}
	return 2
}

// done prints the error of a command and returns the exit code.
func done(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "limpet-testbed: %v\n", err)
	return exitError
}

// draw prints the runs.
func (o *options) draw(context.Context) error {
	for i := range o.runs {
		r := o.drawn(i)
		fmt.Fprintln(o.output, describe(&r))
	}
	return nil
}

// parseSystem parses the name of a system.
func (o *options) parseSystem(text string) (err error) {
	o.system, err = testbed.ParseSystem(text)
	return err
}

// parseFaults parses names of faults that are separated by commas.
func (o *options) parseFaults(text string) error {
	o.faults = nil
	for name := range strings.SplitSeq(text, ",") {
		f, err := testbed.ParseFault(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		o.faults = append(o.faults, f)
	}
	return nil
}

// drawn returns run i. If faults are given, the run has a fault of this list.
func (o *options) drawn(i int) testbed.Run {
	if len(o.faults) == 0 {
		return o.system.Draw(o.seed, i)
	}
	return o.system.DrawOf(o.seed, i, o.faults)
}

func describe(r *testbed.Run) string {
	text := fmt.Sprintf("run %s: volume %s, workload %s with %d streams, congestion control %s, disks of %.1f MB/s, links of %d Mbit/s", r.Name, r.Volume, r.Workload, r.Streams,
		r.Congestion, float64(r.DiskBytes)/1e6, r.LinkMbit)
	if r.Fault == testbed.None {
		return text + ", no fault"
	}
	at := strings.TrimSpace(r.ServerName() + r.ClientName() + " " + r.OSDName())
	return text + fmt.Sprintf(", fault %s at %s, strength %g %s", r.Fault, cmp.Or(at, "all clients"), r.Strength, r.Fault.Unit())
}
