package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// flagError returns a plain error for a wrong or unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, unknown)
	}
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := wrong.GetFlag()
	if refusal, ok := errors.AsType[*bounded.Error](err); ok {
		return fmt.Errorf("--%s %w", flag.Name, refusal)
	}
	if flag.Value.Type() == "bool" {
		return fmt.Errorf("--%s takes no value: remove %q", flag.Name, wrong.GetValue())
	}
	return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(wrong))
}

// unknownFlag returns the error for a flag that a command does not have. It names the flag that the
// user may have meant.
func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	name := unknown.GetSpecifiedName()
	for _, i := range instead {
		if slices.Contains(i.flags, name) && cmd.Flags().Lookup(i.has) != nil {
			flag := strings.Repeat("-", min(len(name), 2)) + name
			return fmt.Errorf("there is no flag %s; %s", flag, i.text)
		}
	}
	if near, ok := yamlfile.Nearest(name, known); ok && len(name) > 1 {
		return fmt.Errorf("there is no flag --%s; did you mean --%s?", name, near)
	}
	return unknown
}

// instead holds hints for flags that users know from other programs or commands. A hint is shown if
// the command has the flag has.
var instead = []struct {
	flags     []string
	has, text string
}{
	{[]string{"v", "verbose", "debug"}, "why", "--why shows all components and all evidence, --list shows a list for each hour"},
	{[]string{"o"}, "output", "write --output FILE; in other commands, -o is the output format"},
	{[]string{"policy"}, "new-ledger", "write the setting policy: FILE in the configuration file, and give that file with --config"},
	{[]string{"output"}, "format", "write --format FORMAT or -o FORMAT; the command prints its output to standard output"},
}
