package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/lab/evaluate"
)

const (
	sweepFlag    = "sweep"
	everySetting = "all" // value of the flag if the user names no setting
)

func bindSweep(cmd *cobra.Command, settings *[]string) {
	fs := cmd.Flags()
	fs.StringSliceVar(settings, sweepFlag, nil, "change one of these `SETTINGS` of the method f10 at a time: "+strings.Join(evaluate.SettingNames(), ", "))
	fs.Lookup(sweepFlag).NoOptDefVal = everySetting
}

// sweepToo adds the flags of the command bench to cmd, and hides all of them except --sweep. With
// --sweep, cmd then runs bench.
func sweepToo(cmd, bench *cobra.Command) {
	bench.Flags().VisitAll(func(f *pflag.Flag) {
		f.Hidden = f.Name != sweepFlag
		cmd.Flags().AddFlag(f)
	})
	help := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case cmd.Flags().Changed(sweepFlag):
			return bench.RunE(cmd, args)
		case cmd.Flags().NFlag() > 0:
			return usageError{errors.New("name what to evaluate before the flags: testbench, intrepid, incidents, sensitivity, past or truth")}
		}
		return help(cmd, args)
	}
	cmd.Args = needEquals(cmd.Args)
}

// needEquals returns an error if a space separates --sweep from the names of settings: --sweep
// without "=" means all settings.
func needEquals(otherwise cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && cmd.Flags().Changed(sweepFlag) {
			return usageError{fmt.Errorf("unexpected argument %q: to change this setting, write --sweep=%s", args[0], args[0])}
		}
		return otherwise(cmd, args)
	}
}

func (f *evaluateTestbenchFlags) runSweep(cmd *cobra.Command) error {
	o, err := f.sweepOptions(cmd)
	if err != nil {
		return usageError{err}
	}
	return evaluated(cmd, &f.evaluationFlags, evaluate.Sweep, o, "simulating runs, and diagnosing these runs with each setting")
}

func (f *evaluateTestbenchFlags) sweepOptions(cmd *cobra.Command) (evaluate.SweepOptions, error) {
	if err := f.options(cmd); err != nil {
		return evaluate.SweepOptions{}, err
	}
	o := evaluate.DefaultSweep()
	methods := o.Methods
	o.TestbenchOptions = f.TestbenchOptions
	if !cmd.Flags().Changed("method") {
		o.Methods = methods
	}
	if slices.Equal(f.sweep, []string{everySetting}) {
		return o, o.Validate()
	}
	if err := o.Choose(f.sweep); err != nil {
		return o, err
	}
	return o, o.Validate()
}
