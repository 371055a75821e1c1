package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/serve"
	"github.com/limpet-storage/limpet/server/serve/config"
)

type serveFlags struct {
	config, state, listen, topology string
	check, once, hash               bool
	changeTopology, newLedger       bool
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve [DIR...]",
		Short: "watch a storage system all the time, and notify people of slow components",
		Long: `Read directories of activity files while recorders write to the files, and diagnose
new data immediately. limpet serve notifies people when an incident begins and when
it is over, and keeps its incidents across restarts. limpet diagnose gives the same
verdicts for the same files.

Each DIR is a directory of activity files, from any number of servers. The saved
state is kept next to the first directory, in DIR.limpet, or in the directory that
--state names. The server answers at 127.0.0.1:9714. It has web pages (the console),
an API, metrics for Prometheus, and a receiver of remote write for sites whose
Prometheus already has the metrics of node_exporter.

All other settings are in a configuration file: what is scraped, who is notified
(Alertmanager, webhooks, logs), who may log in, and how long data are kept. limpet
serve --check prints each mistake in this file, and in the files that it names,
with its line, and changes nothing. SIGHUP makes the server read the
configuration, the topology, the policy and the users again. If limpet is killed,
the next start continues from the saved state.`,
		Example: `  limpet serve /var/log/limpet
  limpet serve --topology site.yaml --state /var/lib/limpet /srv/activity
  limpet serve --config /etc/limpet/limpet.yaml
  limpet serve --config limpet.yaml --check
  limpet serve --once --state /var/lib/limpet /srv/activity     run once, for example from cron`,
		RunE: f.run,
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.config, "config", "c", "", "configuration `FILE` (default: no file, all settings have their defaults)")
	fs.StringVar(&f.state, "state", "", "`directory` of the saved state (default: DIR.limpet, next to the first DIR)")
	fs.StringVar(&f.listen, "listen", "", "`ADDRESS` to answer at: host:port, or unix:/path (default: "+config.DefaultListen+")")
	fs.StringVarP(&f.topology, "topology", "t", "", "topology `FILE` of the storage system (default: no file, limpet finds the peers from the data)")
	fs.BoolVar(&f.changeTopology, "change-topology", false, "continue a saved state that was written with another topology file, or without a topology file. If the new topology file does not name a component, the incidents of this component end")
	fs.BoolVar(&f.newLedger, "new-ledger", false, "continue a saved state whose ledger is lost, and start with an empty ledger. Past incidents, events and the audit trail are then lost and cannot be restored")
	fs.BoolVar(&f.check, "check", false, "only check the configuration file and the files that it names, and print all mistakes; do not start the server")
	fs.BoolVar(&f.once, "once", false, "read the data that exist now, send notifications (none about data from before the first run), print the incidents, and exit")
	fs.BoolVar(&f.hash, "hash", false, "read a password from standard input, and print its hash for the file of users")
	return cmd
}

func (f *serveFlags) run(cmd *cobra.Command, dirs []string) error {
	if f.hash {
		return printHash(cmd.InOrStdin(), cmd.OutOrStdout())
	}
	load := func() (config.Config, error) { return f.load(dirs) }
	c, err := load()
	report, warn := reporter(cmd.ErrOrStderr())
	o := serve.Options{
		Version: version(), Now: time.Now, Load: load, Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), Report: report, Warn: warn,
		ChangeTopology: f.changeTopology, NewLedger: f.newLedger,
	}
	if _, inFile := errors.AsType[*yamlfile.LineError](err); inFile && f.check {
		return serve.CheckRest(err, c, o)
	}
	if err == nil {
		err = refuseNoDirectory(dirs)
	}
	if err == nil && f.check {
		err = serve.Check(c, o)
	}
	if err != nil {
		return err
	}
	if f.check {
		fmt.Fprintf(cmd.OutOrStdout(), "%s has no mistakes.\n", c.File)
		printWarnings(cmd.ErrOrStderr(), serve.Remarks(&c))
		return nil
	}
	if f.once {
		return interrupted(explainState(c.State, serve.Once(cmd.Context(), c, o, printable.NewWriter(cmd.OutOrStdout()))))
	}
	return f.serve(cmd, c, o)
}

// refuseNoDirectory returns an error if a directory on the command line does not exist, or is a
// file. limpet waits for the directories of a configuration file, which may be mounted later.
func refuseNoDirectory(dirs []string) error {
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s: this directory does not exist: create the directory, or name the directory that recorders write to", dir)
		case err != nil || info.IsDir():
			continue
		}
		if own := tables.Recognised(headOf(dir)); own.Noun != "" {
			return usageError{fmt.Errorf("%s is not a directory but %s: %s", dir, own.Noun, own.Advice)}
		}
		return usageError{fmt.Errorf("%s is not a directory but a file: name the directory that recorders write to, or read this file with limpet diagnose", dir)}
	}
	return nil
}

// explainState adds to the error of a saved state that limpet may not write how to name another
// directory: the default directory stands next to the data, which often belong to somebody else.
func explainState(state string, err error) error {
	refused, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(refused, fs.ErrPermission) || !strings.HasPrefix(refused.Path, filepath.Clean(state)) {
		return err
	}
	return fmt.Errorf("%w; limpet keeps its saved state in %s: allow limpet to write there, or name another directory with --state", err, state)
}

// load reads the configuration file. Flags of the command line override it. If the file has
// mistakes, the returned configuration has all other settings.
func (f *serveFlags) load(dirs []string) (config.Config, error) {
	c := config.Default()
	var mistakes error
	if f.config != "" {
		data, err := bounded.ReadFile(f.config, config.MaxBytes, "a configuration file")
		if err != nil {
			return c, err
		}
		c, mistakes = config.Parse(f.config, data)
	}
	f.complete(&c, dirs)
	switch {
	case mistakes != nil:
		return c, mistakes
	case len(c.Directories) == 0 && len(c.Intake.Jobs)+len(c.Intake.Stores) == 0 && f.config == "":
		return c, usageError{errors.New("there is nothing to watch: name a directory of activity files, or a configuration file with --config")}
	case c.State == "":
		return c, usageError{errors.New("there is no directory for the saved state: name a directory with --state, or with the setting \"state\" in the configuration file")}
	}
	return c, nil
}

// complete adds the flags of the command line and the default of the saved state to a configuration.
func (f *serveFlags) complete(c *config.Config, dirs []string) {
	c.Directories = append(c.Directories, dirs...)
	override := func(setting string, to *string, value string) {
		if value != "" {
			*to = value
			c.Override(setting)
		}
	}
	override("state", &c.State, f.state)
	override("listen", &c.Listen, f.listen)
	override("topology", &c.Topology, f.topology)
	if c.State == "" && len(c.Directories) > 0 {
		c.State = filepath.Clean(c.Directories[0]) + ".limpet"
	}
}

// serve runs the server until it is interrupted. On SIGHUP, it reads the configuration again.
func (f *serveFlags) serve(cmd *cobra.Command, c config.Config, o serve.Options) error {
	s, err := serve.Open(cmd.Context(), c, o)
	if err != nil {
		return interrupted(explainState(c.State, err))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "limpet watches %s. Its page is at %s%s\n", watched(&c), s.Address(), listens(&c, s))
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	go reload(ctx, s, hup, &o)
	go serve.Notify(ctx, s)
	return errors.Join(s.Run(ctx), s.Close())
}

// listens returns the address at which the server listens, if the page has another address.
func listens(c *config.Config, s *serve.Service) string {
	if c.Address == "" {
		return ""
	}
	return ", and it listens at " + s.Bound()
}

func watched(c *config.Config) string {
	if len(c.Directories) == 0 {
		return "data that other programs send"
	}
	return strings.Join(c.Directories, ", ")
}

func reload(ctx context.Context, s *serve.Service, hup <-chan os.Signal, o *serve.Options) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hup:
		}
		done, err := s.Reload(ctx)
		if err != nil {
			o.Warn("the new configuration cannot be used, so the old configuration stays in use: " + err.Error())
			continue
		}
		for _, text := range append(done.Changed, done.Restart...) {
			o.Report("reload: " + text)
		}
	}
}

// reporter returns two functions that write a line to a log: one for events, one for problems.
func reporter(w io.Writer) (report, warn func(string)) {
	log := slog.New(slog.NewTextHandler(w, nil))
	report = func(sentence string) { log.Info(printable.Text(sentence)) }
	warn = func(sentence string) { log.Warn(printable.Text(sentence)) }
	return report, warn
}

func printHash(in io.Reader, out io.Writer) error {
	line, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	hash, err := access.Hash(strings.TrimRight(line, "\r\n"))
	if err == nil {
		_, err = fmt.Fprintln(out, hash)
	}
	return err
}
