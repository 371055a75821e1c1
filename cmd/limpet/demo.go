package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/simulate"
	"github.com/limpet-storage/limpet/simulate/arrays"
	"github.com/limpet-storage/limpet/topology"
)

type demoFlags struct {
	dir  string
	seed uint64
}

func newDemo() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "see limpet find three faults in a simulated system",
		Long: `Simulate eight hours of a small storage system with three different faults, write
what its servers would have recorded as activity files, diagnose them, and say
what each line of the list means. A page with the plots is left beside them.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("demo takes no arguments, only flags")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().StringVar(&f.dir, "dir", "limpet-demo", "`directory` to write to")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "`seed` of the simulation")
	return cmd
}

// demoTop is how many components the demo lists: a screen of them.
const demoTop = 4

func (f *demoFlags) run(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Simulating 8 hours of a storage system: 8 servers, 2 arrays, 48 LUNs, 192 attachments.\n")
	truth, err := arrays.Demo(f.seed).Write(cmd.Context(), f.dir, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Three things go wrong:\n")
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

// open reads the files as diagnose would.
func (f *demoFlags) open(cmd *cobra.Command) (source, diagnose.Options, error) {
	o := diagnose.DefaultOptions()
	system, err := readTopology(cmd, filepath.Join(f.dir, simulate.TopologyFile))
	if err != nil {
		return nil, o, err
	}
	src, err := collect.OpenActivity([]string{filepath.Join(f.dir, simulate.ActivityDir)}, collect.ActivityOptions{Metrics: o.Metrics, System: system})
	if err != nil {
		return nil, o, err
	}
	o.Detect.StepSeconds = src.Schema().StepSeconds
	return src, o, nil
}

func (f *demoFlags) diagnose(cmd *cobra.Command, src source, o diagnose.Options, truth *simulate.Truth) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	files := filepath.Join(f.dir, simulate.ActivityDir)
	fmt.Fprintf(out, "\nlimpet diagnose --topology %s %s\nlists hour by hour, here the first %d of each:\n\n", filepath.Join(f.dir, simulate.TopologyFile), files, demoTop)
	subject := report.Subject{System: src.System(), Schema: src.Schema(), Options: o}
	lists, err := report.New("text", out, subject)
	if err != nil {
		return err
	}
	d := diagnosis{src: src, subject: subject, page: filepath.Join(f.dir, "report.html"), marks: marksOf(truth)}
	summary, err := d.run(cmd, shortened{lists})
	if err != nil {
		return err
	}
	explain(out, subject, summary.Top, truth)
	fmt.Fprintf(out, "\nPlots of the most persistent: %s (open it in a browser)\n", d.page)
	printWarnings(cmd.ErrOrStderr(), summary.Warnings)
	return out.Flush()
}

// shortened passes on the head of each list only.
type shortened struct{ diagnose.Listener }

func (s shortened) List(l *diagnose.List) {
	s.Listener.List(&diagnose.List{Hour: l.Hour, Entries: l.Entries[:min(len(l.Entries), demoTop)]})
}

func marksOf(truth *simulate.Truth) []report.Mark {
	var marks []report.Mark
	for _, fault := range truth.Faults {
		marks = append(marks, report.Mark{Label: fault.Text, From: fault.From.Unix(), To: fault.To.Unix(), Names: fault.Attachments})
	}
	return marks
}

// explain says what the lines of the last list mean: those that one fault
// explains stand together.
func explain(w io.Writer, s report.Subject, top []rank.Entry, truth *simulate.Truth) {
	fmt.Fprintf(w, `
Each line is an hour: accumulator, peer group and component, most persistent
first. Every 7.5 minutes the last 15 are judged; an accumulator goes up while its
component is suspect and down while it is not. 1: are primary paths to old LUNs,
2: to new ones, 3: to 8: secondaries and further paths, normally idle. At the end
stand %d components:
`, len(top))
	rest := top
	for i, fault := range truth.Faults {
		var own []rank.Entry
		own, rest = split(rest, func(e rank.Entry) bool { return explains(s.System, fault, e.Component) })
		fmt.Fprintf(w, "\n%d. %s: %s\n", i+1, fault.Text, count(own))
		tabulate(w, s, own)
	}
	fmt.Fprintf(w, "\nNone of these: %s (passing oddities, which fade)\n", count(rest))
	tabulate(w, s, rest)
}

func count(entries []rank.Entry) string {
	if len(entries) == 1 {
		return "1 component"
	}
	return fmt.Sprintf("%d components", len(entries))
}

// explainLines is how many components of one fault are shown.
const explainLines = 5

func tabulate(w io.Writer, s report.Subject, entries []rank.Entry) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range entries[:min(len(entries), explainLines)] {
		fmt.Fprintf(tw, "  %5d  %s\t%s\t%s\n", e.Value, s.System.Label(e.Component), groupName(s.System, e.Component), s.Say(e))
	}
	_ = tw.Flush() // what it writes to keeps its first error
	if more := len(entries) - explainLines; more > 0 {
		fmt.Fprintf(w, "         … and %d more\n", more)
	}
}

func groupName(s *topology.System, component int) string {
	return s.Groups[s.Components[component].Group-1].Name
}

func split(entries []rank.Entry, belongs func(rank.Entry) bool) (yes, no []rank.Entry) {
	for _, e := range entries {
		if belongs(e) {
			yes = append(yes, e)
		} else {
			no = append(no, e)
		}
	}
	return yes, no
}

// explains says whether a fault shows on a component: it is hit itself, or it
// is another path to a LUN whose path was lost.
func explains(s *topology.System, fault simulate.Fault, component int) bool {
	c := &s.Components[component]
	return slices.Contains(fault.Attachments, c.Name) ||
		slices.ContainsFunc(fault.Attachments, func(name string) bool { return strings.HasPrefix(name, c.LUN+".") })
}
