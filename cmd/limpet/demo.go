package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/report"
)

// demoPage is the name of the HTML page in the directory of the demonstration.
const demoPage = "report.html"

// fastestDemo is the highest speed at which limpet can still write and diagnose eight hours.
const fastestDemo = 2000

type demoFlags struct {
	dir   string
	seed  uint64
	live  bool
	speed float64
}

func newDemo() *cobra.Command {
	f := demoFlags{seed: 1, speed: 60}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "watch limpet find three faults in a simulated storage system",
		Long: `Simulate eight hours of a small storage system with three different faults. Write
the activity files that its servers would have recorded, diagnose these files, and
compare the incidents with the faults. The files, and the report as an HTML page with
plots, are in the directory --dir.

With --live you watch the diagnosis as it happens: the simulated servers record
faster than in real time, limpet serve watches the servers, and reports each fault
within minutes. Ctrl-C ends the demo and removes its files.`,
		Example: `  limpet demo
  limpet demo --live`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("demo takes no arguments, only flags")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.live {
				return f.runLive(cmd)
			}
			return f.run(cmd)
		},
	}
	cmd.Flags().StringVar(&f.dir, "dir", "limpet-demo", "`directory` to write to")
	cmd.Flags().Var(bounded.Seed(&f.seed), "seed", "`seed` of the random numbers of the simulation")
	cmd.Flags().BoolVar(&f.live, "live", false, "simulate the servers while limpet serve watches these servers")
	cmd.Flags().Var(bounded.Float(&f.speed, 1, fastestDemo, "times"), "speed", "with --live: how many `times` faster than real time the simulated clock runs")
	return cmd
}

func (f *demoFlags) run(cmd *cobra.Command) error {
	if err := errors.Join(simulate.MayReplace(f.dir, demoPage), simulate.OnlyOurs(f.dir, simulate.ActivityDir)); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Simulating 8 hours of a storage system: 8 servers, 2 arrays, 48 LUNs, 192 paths to the LUNs.\n")
	truth, err := arrays.Demo(f.seed).Write(cmd.Context(), f.dir, nil)
	if err != nil {
		return f.explain(err)
	}
	fmt.Fprintf(out, "Three faults are simulated:\n")
	for i, fault := range truth.Faults {
		fmt.Fprintf(out, "  %d. %s\n", i+1, fault.Text)
	}
	src, o, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer src.Close()
	return f.diagnose(cmd, src, o, truth)
}

// explain adds to the error of a directory that limpet may not write how to name another directory.
func (f *demoFlags) explain(err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return err
	}
	return fmt.Errorf("%w; limpet demo writes to the directory %s: name another directory with --dir", err, f.dir)
}

// open opens the files with the options of limpet diagnose.
func (f *demoFlags) open(cmd *cobra.Command) (ingest.Source, engine.Options, error) {
	o := engine.DefaultOptions()
	system, err := readTopology(cmd, filepath.Join(f.dir, simulate.TopologyFile))
	if err != nil {
		return nil, o, err
	}
	needed, _ := o.WantedMetrics()
	src, err := activity.Open(cmd.Context(), []string{filepath.Join(f.dir, simulate.ActivityDir)}, activity.Options{Metrics: needed, System: system})
	if err != nil {
		return nil, o, err
	}
	o.FitTo(src.Schema())
	return src, o, nil
}

func (f *demoFlags) diagnose(cmd *cobra.Command, src ingest.Source, o engine.Options, truth *simulate.Truth) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	files := filepath.Join(f.dir, simulate.ActivityDir)
	fmt.Fprintf(out, "\nlimpet diagnose --topology %s %s\nThis command compares every component with its peers and prints:\n\n", filepath.Join(f.dir, simulate.TopologyFile), files)
	subject := report.Subject{System: src.System(), Schema: src.Schema(), Options: o, Version: version(), Inputs: []string{files}}
	text, err := report.New("text", out, subject)
	if err != nil {
		return err
	}
	d := diagnosis{src: src, subject: subject, order: incident.Combined, page: filepath.Join(f.dir, demoPage), marks: marksOf(truth)}
	summary, err := d.run(cmd, text)
	if err != nil {
		return err
	}
	if err := text.Finish(summary); err != nil {
		return err
	}
	compareFaults(out, truth, summary.Incidents)
	printWarnings(cmd.ErrOrStderr(), summary.Warnings)
	err = out.Flush()
	err = errors.Join(err, simulate.WriteBeside(f.dir, demoPage, d.output(summary).write))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nThe same report with plots: %s (open this file in a browser)\n", d.page)
	return err
}

func marksOf(truth *simulate.Truth) []report.Mark {
	var marks []report.Mark
	for _, fault := range truth.Faults {
		marks = append(marks, report.Mark{Label: fault.Text, From: fault.From.Unix(), To: fault.To.Unix(), Names: fault.Attachments})
	}
	return marks
}

// compareFaults prints, for each simulated fault, whether limpet has found it.
func compareFaults(w io.Writer, truth *simulate.Truth, found []incident.Incident) {
	fmt.Fprintf(w, "\nThe simulated faults, and what limpet found:\n")
	for i, fault := range truth.Faults {
		in := incidentOf(fault, found)
		if in == nil {
			fmt.Fprintf(w, "  %d. %s: not found\n", i+1, fault.Text)
			continue
		}
		after := time.Unix(in.Confirmed, 0).Sub(fault.From).Round(time.Minute)
		fmt.Fprintf(w, "  %d. %s: found as incident %s after %s\n", i+1, fault.Text, in.ID, english.Seconds(int64(after.Seconds())))
		if e := in.Effect(); fault.Kind == simulate.SingleLUN && e.Times > 0 {
			fmt.Fprintf(w, "     Other requests of the LUN wait behind the slow requests. On average, its requests take %s as long as the requests of its peers\n", english.Times(e.Times))
		}
	}
}

// incidentOf returns the incident that names the component of a fault, or nil.
func incidentOf(fault simulate.Fault, found []incident.Incident) *incident.Incident {
	for i := range found {
		if in := &found[i]; in.Place.Name == fault.Component && !in.Harmless() {
			return in
		}
	}
	return nil
}
