package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // time zones, for machines without a database of time zones

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/printable"
	build "github.com/limpet-storage/limpet/internal/version"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/report/outcome"
)

func main() {
	spareMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// spareMemory starts garbage collections earlier than the default of Go (100), so that limpet uses
// less memory. With 25 instead of 50, limpet would need a tenth less memory and a tenth more CPU time.
// The variable GOGC overrides this setting.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// Exit codes of all commands; diagnose --exit-code has more.
const (
	exitError = int(outcome.Failed)
	exitUsage = int(outcome.Misused)
)

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	var unwritten error // error of writing the help, which cobra ignores
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { unwritten = printHelp(usual, cmd, args) })
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = unwritten
	}
	outcome, told := errors.AsType[outcomeError](err)
	switch {
	case err == nil:
		return 0
	case told && outcome.error == nil:
		return int(outcome.outcome)
	}
	printError(stderr, err)
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintf(stderr, "Try '%s --help'.\n", strings.TrimSuffix(cmd.CommandPath(), " help"))
		return exitUsage
	}
	if told {
		return int(outcome.outcome)
	}
	return exitError
}

// printError prints an error. If it joins several errors, each begins with the name of the program.
func printError(stderr io.Writer, err error) {
	parts := yamlfile.Each(err)
	if isFullDisk(err) { // all have the same cause
		parts = []error{err}
	}
	printed := map[string]bool{}
	for _, part := range parts {
		text := printable.Text(withoutEcho(sayError(part, yamlfile.Explain(part))))
		if !printed[text] {
			fmt.Fprintf(stderr, "limpet: %s\n", text)
		}
		printed[text] = true
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "limpet",
		Short: "find the limping component of a storage system",
		Long: `limpet finds the component of a storage system that still works but is slow, and
makes the whole system slow: a LUN, a drive, a server, or a path to a LUN. It
compares each component with its peers, ranks the components that stay different,
and shows the evidence. No training is needed, and there is no threshold that you
must set. The activity files that sysstat (sadc) writes are enough.`,
		Example: `  limpet demo                                   find faults in a simulated storage system
  limpet diagnose /var/log/sysstat              compare the drives of this server with each other
  limpet diagnose --topology site.yaml DIR      diagnose shared storage from the files of all servers
  limpet diagnose DIR                           find the server with a faulty disk or network, from files of servers and clients
  limpet diagnose --tables perseus.yaml DIR     read CSV or Parquet tables instead of activity files
  limpet serve DIR                              run all the time, and notify people of slow components`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       build.Get().String(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{unknownCommand(cmd, args[0])}
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetVersionTemplate("limpet {{.Version}}\n")
	root.SetUsageTemplate(usageTemplate(root.UsageTemplate()))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd, err)} })
	root.AddGroup(&cobra.Group{ID: "find", Title: "Find slow components:"}, &cobra.Group{ID: "look", Title: "Examine data and files:"},
		&cobra.Group{ID: "live", Title: "Watch a storage system all the time:"},
		&cobra.Group{ID: "try", Title: "Test limpet on known faults:"},
		&cobra.Group{ID: "install", Title: "Install limpet:"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("find", newRecord(), newTop(), newLook(), newDiagnose(), newStudy(), newTrain(), newServe(), newDemo())
	add("look", newTopology(), newDump(), newVersion())
	add("live", newIncidents(), newAct(), newBackup(), newCheck(), newRaid())
	add("try", newSimulate(), newEvaluate())
	add("install", newManual())
	addCompletion(root)
	namePapers(root)
	addTopics(root)
	root.SetHelpCommand(newHelp())
	root.SetHelpCommandGroupID("look")
	offerValues(root)
	return root
}

// usageTemplate changes cobra's template of the help: the hints name commands that a user can type.
func usageTemplate(usual string) string {
	return strings.NewReplacer(
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
		"Each command has its own --help.",
		"Additional help topics:", "Help topics (limpet help TOPIC shows a topic):",
		"{{rpad .CommandPath .CommandPathPadding}} {{.Short}}", "{{rpad .Name .NamePadding }} {{.Short}}",
	).Replace(usual)
}

// unknownCommand returns the error for a subcommand that cmd does not have. The error names a
// subcommand that begins with the name, or has a similar spelling.
func unknownCommand(cmd *cobra.Command, name string) error { return unknown(cmd, "command", name) }

// unknown does the work of unknownCommand. noun states what was looked for.
func unknown(cmd *cobra.Command, noun, name string) error {
	text := fmt.Sprintf("%s has no %s %q", cmd.CommandPath(), noun, name)
	var known []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	near, ok := yamlfile.Nearest(name, known)
	if begins := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, name) }); begins >= 0 {
		near, ok = known[begins], true
	}
	if ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}

// one returns a check for exactly one argument. The parameter is the error for any other number of
// arguments.
func one(missing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return usageError{errors.New(missing)}
		}
		return nil
	}
}

// paths returns a check for at least one argument. The error names the missing argument.
func paths(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("an argument is missing: give %s", what)}
		}
		return nil
	}
}
