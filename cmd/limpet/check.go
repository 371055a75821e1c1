package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/outcome"
)

// Exit codes of check. If the state is complete and not damaged, the exit code is 0.
const (
	exitDamaged   = 3 // serve starts, and reports damage
	exitRefused   = 4 // serve does not start
	exitUnchecked = 5 // no damage was found, but a file could not be checked
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check STATE",
		Short: "find damaged and missing files in the saved state of a server",
		Long: `check reads every file of the saved state of limpet serve, and prints which files
are damaged or missing, which data are lost, and whether limpet serve can start with
this state. STATE is the directory that was given to limpet serve --state, or an
unpacked backup. The server must not run. check changes no file. It needs free space
for a copy of the ledger (the database of incidents) in the directory for temporary
files (TMPDIR).

The exit code is 0 if no file is damaged or missing, 3 if files are damaged but limpet
serve can start, and 4 if limpet serve cannot start. It is 5 if no damage was found,
but limpet could not check the ledger, because its checksums are missing or damaged.`,
		Example: `  limpet check /var/lib/limpet
  tar -xf limpet.tar && limpet check limpet-20260301T120000Z`,
		Args: one("the directory of the saved state is missing: write limpet check STATE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := watch.Inspect(cmd.Context(), args[0])
			if err != nil {
				return interrupted(err)
			}
			printInspection(cmd.OutOrStdout(), found)
			switch {
			case found.Refused != nil:
				return outcomeError{outcome: outcome.Outcome(exitRefused)}
			case len(found.Damage) > 0:
				return outcomeError{outcome: outcome.Outcome(exitDamaged)}
			case len(found.Unchecked) > 0:
				return outcomeError{outcome: outcome.Outcome(exitUnchecked)}
			}
			return nil
		},
	}
}

// printInspection prints a table of the parts, a line for each damage, and the verdict.
func printInspection(w io.Writer, found *watch.Inspection) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "part of the state\tfiles\tbytes\tdamaged files")
	for _, p := range found.Parts {
		fmt.Fprintf(table, "%s\t%d\t%s\t%d\n", p.Name, p.Files, english.Thousands(p.Bytes), p.Damaged)
	}
	_ = table.Flush() // as for the other lines, errors of w are ignored
	for _, text := range found.Damage {
		fmt.Fprintf(w, "damage: %s\n", text)
	}
	for _, text := range found.Unchecked {
		fmt.Fprintf(w, "not checked: %s\n", text)
	}
	for _, text := range found.Notes {
		fmt.Fprintf(w, "note: %s\n", text)
	}
	switch {
	case found.Refused != nil:
		fmt.Fprintf(w, "limpet serve cannot start with this state: %v\n", sayError(found.Refused, found.Refused.Error()))
	case len(found.Damage) > 0:
		fmt.Fprintln(w, "limpet serve can start with this state, and then reports the damage.")
	case len(found.Unchecked) > 0:
		fmt.Fprintln(w, "limpet serve can start with this state. No damage was found, but not all data could be checked.")
	default:
		fmt.Fprintln(w, "The saved state is complete and not damaged.")
	}
}
