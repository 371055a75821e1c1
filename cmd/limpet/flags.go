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

// flagError says what is wrong with a flag in the flag's own words.
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

// unknownFlag says that a command has no such flag, and which may have been meant.
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

// instead says what is typed for flags that other programs and commands have, where a
// command has the flag that does it.
var instead = []struct {
	flags     []string
	has, text string
}{
	{[]string{"v", "verbose", "debug"}, "why", "--why shows all components and all evidence, --list shows a list for each hour"},
	{[]string{"o"}, "output", "write --output FILE; in other commands, -o is the output format"},
	{[]string{"output"}, "format", "write --format FORMAT or -o FORMAT; the command prints its output to standard output"},
}
