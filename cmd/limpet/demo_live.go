package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/serve"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// fastClock is a simulated clock. It starts at zero and runs speed times as fast as the real clock.
// It stops when the simulated hours are over; otherwise limpet would soon call its findings old.
type fastClock struct {
	began, zero time.Time
	speed       float64
	over        atomic.Int64 // Unix time at which the clock stopped; 0: it runs
}

func (c *fastClock) now() time.Time {
	if over := c.over.Load(); over != 0 {
		return time.Unix(over, 0)
	}
	return c.zero.Add(time.Duration(float64(time.Since(c.began)) * c.speed))
}

// recordEvery is the time between two writes of the simulated recorders, by the real clock.
const recordEvery = 20 * time.Millisecond

// runLive runs a simulated system with a faster clock, and limpet serve on its recordings. It runs
// until ctrl-C, and then removes its files.
func (f *demoFlags) runLive(cmd *cobra.Command) (err error) {
	dir, err := os.MkdirTemp("", "limpet-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	fmt.Fprintf(out, "Simulating 8 hours of a storage system: 8 servers, 2 arrays, 48 LUNs, 192 paths to the LUNs.\n")
	scenario := arrays.Demo(f.seed)
	scenario.Compressed = nil
	simulated := filepath.Join(dir, "simulated")
	truth, err := scenario.Write(ctx, simulated, nil)
	if err != nil {
		return interrupted(err)
	}
	records, err := playback.Open(simulated, filepath.Join(dir, "recorded"))
	if err != nil {
		return err
	}
	s, clock, err := f.startLive(ctx, dir, scenario, out)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "The simulated servers now record %.0f times faster than real time. Open %s in a browser.\nCtrl-C ends the demo and removes its files.\n%s\n\n",
		f.speed, s.Address(), firstFault(truth, clock))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	recorded := make(chan error, 1)
	go func() { recorded <- recordLive(ctx, records, clock, truth, &beat{out: out, verdict: s.Verdict}) }()
	err = errors.Join(s.Run(ctx), s.Close())
	stop()
	return errors.Join(err, <-recorded)
}

// startLive starts limpet serve on the directory into which the simulated recorders write.
func (f *demoFlags) startLive(ctx context.Context, dir string, scenario *arrays.Scenario, out io.Writer) (*serve.Service, *fastClock, error) {
	c := config.Default()
	c.Directories, c.State = []string{filepath.Join(dir, "recorded", "activity")}, filepath.Join(dir, "state")
	c.Topology, c.Push = filepath.Join(dir, "simulated", simulate.TopologyFile), false
	clock := &fastClock{began: time.Now(), zero: scenario.Start, speed: f.speed}
	o := serve.Options{
		Version: version(), Now: clock.now, Poll: time.Second, Report: func(string) {}, Load: func() (config.Config, error) { return c, nil },
		Heard: func(e api.Event) { sayEvent(out, e) },
	}
	s, err := serve.Open(ctx, c, o)
	if err != nil { // another program may use the port
		c.Listen = "127.0.0.1:0"
		s, err = serve.Open(ctx, c, o)
	}
	return s, clock, err
}

// firstFault returns a sentence with the time of the first fault, by both clocks. Before this time,
// limpet reports nothing.
func firstFault(truth *simulate.Truth, clock *fastClock) string {
	first := truth.Faults[0].From
	for _, f := range truth.Faults {
		if f.From.Before(first) {
			first = f.From
		}
	}
	wait := time.Duration(float64(first.Sub(clock.zero)) / clock.speed)
	return fmt.Sprintf("The first fault begins at %s in simulated time, %s from now. Every %s, limpet prints the incidents that it has found.",
		first.UTC().Format("15:04"), english.Seconds(int64(math.Ceil(wait.Seconds()))), english.Seconds(int64(beatEvery.Seconds())))
}

// beatEvery is the time between two prints of the state, by the real clock, so that a waiting user
// sees that the demonstration runs.
const beatEvery = 15 * time.Second

// A beat prints the state from time to time.
type beat struct {
	out     io.Writer
	verdict func() string
	last    time.Time
}

// at prints the first sentence of the verdict, if the last print was at least beatEvery ago.
func (b *beat) at(now time.Time) {
	if b.last.IsZero() {
		b.last = time.Now()
	}
	if time.Since(b.last) < beatEvery {
		return
	}
	b.last = time.Now()
	first, _, _ := strings.Cut(b.verdict(), ". ")
	fmt.Fprintf(b.out, "%s  %s.\n", now.UTC().Format("15:04"), printable.Text(strings.TrimSuffix(first, ".")))
}

// sayEvent prints an event of limpet with its simulated time.
func sayEvent(out io.Writer, e api.Event) {
	if e.Change == incident.Changed || e.Incident == nil {
		return
	}
	fmt.Fprintf(out, "%s  limpet: incident %s %s: %s\n", time.Unix(int64(e.Time), 0).UTC().Format("15:04"), e.ID, e.Change, printable.Text(e.Incident.Headline))
}

// recordLive writes the records of the simulated system as the clock runs, and prints each fault
// when it begins.
func recordLive(ctx context.Context, records *playback.Replay, clock *fastClock, truth *simulate.Truth, beat *beat) error {
	out := beat.out
	tick := time.NewTicker(recordEvery)
	defer tick.Stop()
	said := make([]bool, len(truth.Faults))
	for {
		now := clock.now()
		for i, fault := range truth.Faults {
			if !said[i] && !fault.From.After(now) {
				said[i] = true
				fmt.Fprintf(out, "%s  fault begins: %s\n", fault.From.UTC().Format("15:04"), fault.Text)
			}
		}
		beat.at(now)
		more, err := records.Write(now.Unix())
		if err != nil {
			return err
		}
		if !more {
			clock.over.Store(now.Unix())
			fmt.Fprintf(out, "%s  the simulation is over; the incidents can still be viewed until you press Ctrl-C.\n", now.UTC().Format("15:04"))
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
