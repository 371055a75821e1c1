// Command limpet-testbed records experiments on a real parallel file system on
// this machine. It is a tool of the project, and no part of its packages.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/testbed"
	"github.com/limpet-storage/limpet/testbed/cluster"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `limpet-testbed record   record runs that are drawn from a seed, as far as they are missing
limpet-testbed draw     print these runs
limpet-testbed down     remove clusters that a killed run has left

Flags of all three:
`

// Exit codes: 0 done or skipped, 1 error, 2 the command line makes no sense.
const (
	exitError = 1
	exitUsage = 2
)

// options are what the flags say.
type options struct {
	place  cluster.Place
	dir    string
	seed   uint64
	runs   int
	slots  int
	output io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 3 && args[0] == "hog" { // what network hogs run
		if err := cluster.Hog(ctx, args[1], args[2]); err != nil {
			fmt.Fprintf(stderr, "limpet-testbed: %v\n", err)
			return exitError
		}
		return 0
	}
	o := options{output: stdout}
	fs := flag.NewFlagSet("limpet-testbed", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.dir, "dir", "limpet-testbed", "`directory` of the runs and their truth")
	fs.Uint64Var(&o.seed, "seed", 1, "`seed` that the runs are drawn from")
	fs.IntVar(&o.runs, "runs", 60, "`runs` to record, those that are there among them")
	fs.IntVar(&o.slots, "clusters", 2, "`clusters` that stand beside each other, up to 4")
	fs.StringVar(&o.place.Dir, "work", "/var/tmp/limpet-testbed", "`directory` of disks, mounts and logs while a run lasts: 3 GB a cluster")
	fs.StringVar(&o.place.Recorder, "recorder", "bin/limpet-record", "`path` of the recorder")
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
	does, ok := map[string]func(context.Context) error{"record": o.record, "draw": o.draw, "down": o.down}[args[0]]
	if !ok || fs.NArg() > 0 || o.slots < 1 || o.slots > len(cluster.Slots) || o.runs < 1 {
		fs.Usage()
		return exitUsage
	}
	if err := does(ctx); err != nil {
		fmt.Fprintf(stderr, "limpet-testbed: %v\n", err)
		return exitError
	}
	return 0
}

// draw prints the runs.
func (o *options) draw(context.Context) error {
	for i := range o.runs {
		r := testbed.Draw(o.seed, i)
		fmt.Fprintln(o.output, describe(&r))
	}
	return nil
}

func describe(r *testbed.Run) string {
	text := fmt.Sprintf("%s: %s %s of %d streams, %s, disks %.1f MB/s, links %d Mbit/s, %s", r.Name, r.Volume, r.Workload, r.Streams,
		r.Congestion, float64(r.DiskBytes)/1e6, r.LinkMbit, r.Fault)
	if r.Fault != testbed.None {
		text += fmt.Sprintf(" at %s (%g %s)", r.ServerName(), r.Strength, r.Fault.Unit())
	}
	return text
}

// down removes all clusters.
func (o *options) down(context.Context) error {
	if err := cluster.Lacks(); err != nil {
		fmt.Fprintf(o.output, "skipped: %v\n", err)
		return nil
	}
	var errs []error
	for _, slot := range cluster.Slots {
		errs = append(errs, o.place.Down(string(slot)))
	}
	return errors.Join(errs...)
}

// record records the runs that are missing, on several clusters at once. A run
// that fails does not stop the others.
func (o *options) record(ctx context.Context) error {
	if err := cluster.Lacks(); err != nil {
		fmt.Fprintf(o.output, "skipped: %v\n", err)
		return nil
	}
	if err := o.absolute(); err != nil {
		return err
	}
	missing, err := o.missing()
	if err != nil {
		return err
	}
	fmt.Fprintf(o.output, "%d of %d runs are missing\n", len(missing), o.runs)
	todo := make(chan testbed.Run)
	var workers sync.WaitGroup
	var failed sync.Map
	for i := range o.slots {
		workers.Go(func() {
			for r := range todo {
				if err := o.perform(ctx, cluster.Slots[i:i+1], &r); err != nil && ctx.Err() == nil {
					failed.Store(r.Name, err)
				}
			}
		})
	}
	for _, r := range missing {
		select {
		case todo <- r:
		case <-ctx.Done():
		}
	}
	close(todo)
	workers.Wait()
	return errors.Join(ctx.Err(), failures(&failed))
}

// absolute makes paths mean the same in any namespace.
func (o *options) absolute() (err error) {
	for _, path := range []*string{&o.dir, &o.place.Dir, &o.place.Recorder} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if _, err := os.Stat(o.place.Recorder); err != nil {
		return fmt.Errorf("%w: build it with make build, or say with --recorder where it is", err)
	}
	return os.MkdirAll(o.dir, 0o755)
}

func (o *options) perform(ctx context.Context, slot string, r *testbed.Run) error {
	began := time.Now()
	err := o.place.Perform(ctx, slot, r, o.dir)
	verdict := "recorded"
	if err != nil {
		verdict = err.Error()
	}
	fmt.Fprintf(o.output, "%s %s: %s in %.0f s\n", time.Now().UTC().Format(time.TimeOnly), describe(r), verdict, time.Since(began).Seconds())
	return err
}

// missing are the runs that the truth does not have.
func (o *options) missing() ([]testbed.Run, error) {
	path := filepath.Join(o.dir, testbed.TruthFile)
	var done []testbed.Truth
	if data, err := os.ReadFile(path); err == nil {
		if done, err = testbed.ParseTruth(path, data); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var all []testbed.Run
	for i := range o.runs {
		r := testbed.Draw(o.seed, i)
		if !slices.ContainsFunc(done, func(t testbed.Truth) bool { return t.Run == r.Name }) {
			all = append(all, r)
		}
	}
	return all, nil
}

func failures(failed *sync.Map) error {
	var names []string
	failed.Range(func(name, _ any) bool {
		names = append(names, name.(string))
		return true
	})
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("runs failed: %s; the same command tries them again", strings.Join(names, ", "))
}
