package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/lab/evaluate"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/report/replay"
	"github.com/limpet-storage/limpet/topology"
)

type actReplayFlags struct {
	sourceFlags
	policies                        []string
	truth, model, format, csv, page string
}

var replayFormats = []string{"text", "json"}

func newActReplay() *cobra.Command {
	var f actReplayFlags
	cmd := &cobra.Command{
		Use:   "replay --policy FILE PATH... | --store URL",
		Short: "show what a policy would have done in recorded data, and how much waiting time this would have saved",
		Long: `Diagnose recorded data as limpet diagnose does, and find out which actions a policy
would have taken. No command is run. The report shows each action with its
component, its command, its start, its end, and the reasons for both. It counts the
refused actions by reason. It estimates how much waiting time users would have
saved. It also shows the harm: how long an action kept requests away from a
component that was already as fast as its peers, and how long peer groups had one
copy or one parity drive less than usual.

The replay treats the modes propose, ask and do alike: it assumes that an operator
approves every action at once. With --truth, the report counts the actions on components
without a fault, and lists the faults without an action. With several policies, the
report compares the policies.`,
		Example: `  limpet act replay --policy policy.yaml --topology site.yaml /var/log/sysstat
  limpet act replay --policy careful.yaml --policy bold.yaml --html replay.html -t site.yaml DIR
  limpet act replay --policy policy.yaml --truth d/truth.yaml -t topology.yaml d/activity`,
		Args: f.orStore(func(cmd *cobra.Command, args []string) error {
			if err := tablesDirectory(f.tables); err != nil {
				return err
			}
			return paths("activity files, a directory of activity files, or --store URL")(cmd, args)
		}),
		RunE: f.run,
	}
	f.bind(cmd)
	fs := cmd.Flags()
	fs.StringArrayVar(&f.policies, "policy", nil, "`FILE` with a policy. The flag may be repeated: the report then compares the policies")
	fs.StringVar(&f.truth, "truth", "", "`FILE` with the known faults (truth.yaml, which limpet simulate writes) (default: faults are not known)")
	fs.StringVar(&f.model, "model", "", "`FILE` with a model, which limpet train wrote (default: no model)")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: "+strings.Join(replayFormats, ", "))
	fs.StringVar(&f.csv, "csv", "", "also write all figures as CSV to `FILE`")
	fs.StringVar(&f.page, "html", "", "also write an HTML page with plots to `FILE`")
	return cmd
}

func (f *actReplayFlags) run(cmd *cobra.Command, paths []string) error {
	if !slices.Contains(replayFormats, f.format) {
		return usageError{fmt.Errorf("format %q is unknown: use one of %s", f.format, strings.Join(replayFormats, ", "))}
	}
	if len(f.policies) == 0 {
		return usageError{errors.New("name the policy to replay: --policy FILE")}
	}
	if err := foresee(cmd, output{flag: "csv", path: f.csv}, output{flag: "html", path: f.page}); err != nil {
		return err
	}
	o := replay.Options{Known: f.truth != ""}
	for _, name := range f.policies {
		p, err := readPolicy(name)
		if err != nil {
			return err
		}
		o.Policies = append(o.Policies, replay.Policy{Name: f.short(name), Policy: p})
	}
	var err error
	if o.Model, err = readModel(f.model); err != nil {
		return err
	}
	src, diagnose, err := f.open(cmd, paths)
	if err != nil {
		return err
	}
	defer src.Close()
	o.Diagnose = diagnose
	if o.Faults, err = f.faults(src.System()); err != nil {
		return err
	}
	stream, progress := withProgress(cmd, src)
	result, err := replay.Run(cmd.Context(), o, src.System(), stream)
	progress.done()
	if err != nil {
		return interrupted(err)
	}
	return f.print(cmd, result, src.Warnings())
}

// short returns the name of a policy file without its directory. If another policy file has the
// same name, short returns the path.
func (f *actReplayFlags) short(name string) string {
	for _, other := range f.policies {
		if other != name && filepath.Base(other) == filepath.Base(name) {
			return name
		}
	}
	return filepath.Base(name)
}

func (f *actReplayFlags) faults(system *topology.System) ([]replay.Fault, error) {
	if f.truth == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(f.truth, bounded.MaxResult, "a truth file")
	if err != nil {
		return nil, err
	}
	truth, err := simulate.ParseTruth(f.truth, data)
	if err != nil {
		return nil, err
	}
	return evaluate.ReplayFaults(system, truth)
}

func (f *actReplayFlags) print(cmd *cobra.Command, result *replay.Result, warnings []topology.Warning) error {
	r := evaluate.ReplayReport(result)
	out := bufio.NewWriter(cmd.OutOrStdout())
	write := func(w io.Writer) error { return r.Text(printable.NewWriter(w)) } // names from files may contain control characters
	if f.format == "json" {
		write = result.JSON
	}
	err := errors.Join(write(out), out.Flush())
	err = errors.Join(err, writeOutputs(cmd.Context(), output{"csv", f.csv, r.CSV}, output{"html", f.page, r.HTML}))
	var texts []string
	for _, w := range warnings {
		texts = append(texts, w.String())
	}
	printWarnings(cmd.ErrOrStderr(), texts)
	return err
}
