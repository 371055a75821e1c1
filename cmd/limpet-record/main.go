package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/internal/bounded"
	build "github.com/limpet-storage/limpet/internal/version"
	"github.com/limpet-storage/limpet/record/agent"
)

func main() {
	signal.Ignore(syscall.SIGHUP) // there is no configuration file to read again
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second ctrl-C ends the program at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes: 0 done, 1 error, 2 a mistake in the command line.
const (
	exitError = 1
	exitUsage = 2
)

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := agent.DefaultOptions()
	fs := flag.NewFlagSet("limpet-record", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.Flags(fs)
	version := fs.Bool("version", false, "print the version")
	err := parse(fs, args)
	if err == nil {
		err = o.Validate()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout, fs)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "limpet-record: %v\nTry 'limpet-record --help'.\n", err)
		return exitUsage
	case *version:
		fmt.Fprintf(stdout, "limpet-record %s\n", build.Get())
		return 0
	}
	if err := agent.Run(ctx, o, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "limpet-record: %v\n", err)
		return exitError
	}
	return 0
}

func parse(fs *flag.FlagSet, args []string) error {
	if err := fs.Parse(args); err != nil {
		return flagError(fs, err)
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: limpet-record takes only flags", fs.Arg(0))
	}
	return nil
}

// flagError returns a plain error for a wrong flag.
func flagError(fs *flag.FlagSet, err error) error {
	fs.VisitAll(func(f *flag.Flag) {
		if v, ok := f.Value.(bounded.Value); ok && v.Refusal() != nil {
			err = fmt.Errorf("--%s %w", f.Name, v.Refusal())
		}
	})
	if text, ok := strings.CutPrefix(err.Error(), "invalid boolean value "); ok {
		value, name, _ := strings.Cut(strings.TrimSuffix(text, ": parse error"), " for -")
		return fmt.Errorf("--%s takes no value: remove %q", name, value)
	}
	return err
}

// usage prints the flags in the format of limpet.
func usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "limpet-record records the activity of this machine's disks, network interfaces\nand connections in files that limpet, sar and sadf can read. Packages install its\nman page; limpet manual --dir DIR writes the man pages of all commands.\n\nUsage:\n  limpet-record [flags]\n\nFlags:\n")
	fs.VisitAll(func(f *flag.Flag) {
		name, text := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			text += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(w, "  --%-22s %s\n", f.Name+" "+name, text)
	})
}
