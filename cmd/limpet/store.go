package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/store"
	"github.com/limpet-storage/limpet/internal/bounded"
)

// storeFlags say which store of metrics is read instead of files.
type storeFlags struct {
	store, series, storeDir string
}

func (f *storeFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.store, "store", "", "read the store of metrics at `URL` (Prometheus, VictoriaMetrics, Mimir, Thanos), or that a YAML file describes: tenant, credentials, …; the last 24 hours unless --since says otherwise")
	fs.StringVar(&f.series, "series", "", "of a store, read the series that the YAML `FILE` describes, or a preset by its name, instead of node_exporter's; help lists them")
	fs.StringVar(&f.storeDir, "store-dir", "", "keep what is read of a store in this `directory`, and go on there the next time (a temporary one, removed at the end)")
}

// check finds flags that do not fit together.
func (f *storeFlags) check(args []string, tables string) error {
	switch {
	case f.store == "" && (f.series != "" || f.storeDir != ""):
		return errors.New("--series and --store-dir are for --store: name the store")
	case f.store != "" && len(args) > 0:
		return fmt.Errorf("data are in a store or in files: leave out --store, or %s", args[0])
	case f.store != "" && tables != "":
		return errors.New("--tables is for files: series of a store are described by --series")
	}
	return nil
}

// fetched is what was read of a store, as files.
type fetched struct {
	dir       string
	tables    string // description of tables; empty: they are activity files
	temporary bool
	warnings  []string
}

// usualPeriod is read of a store that nobody said more of: it may hold years.
const usualPeriod = 24 * time.Hour

// settled is how old samples are when they are read: the last scrapes may be on their
// way.
const settled = 30 * time.Second

// fetch reads what was asked for into files.
func (f *storeFlags) fetch(cmd *cobra.Command, part *ingest.Selection) (got *fetched, err error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	var d *store.Description
	if f.series != "" {
		if d, err = readSeries(f.series); err != nil {
			return nil, err
		}
	}
	s, err := store.Open(cmd.Context(), o)
	if err != nil {
		return nil, err
	}
	got = &fetched{dir: f.storeDir, temporary: f.storeDir == ""}
	if got.temporary {
		if got.dir, err = os.MkdirTemp("", "limpet-store-"); err != nil {
			return nil, err
		}
	}
	if err := got.read(cmd, s, d, part); err != nil {
		return nil, errors.Join(err, got.remove())
	}
	return got, nil
}

// options are those of an address, or of the file that describes a store.
func (f *storeFlags) options() (store.Options, error) {
	if store.IsAddress(f.store) {
		o := store.DefaultOptions()
		o.Post.URL = f.store
		return o, nil
	}
	data, err := bounded.ReadFile(f.store, bounded.MaxYAML, "a description of a store")
	if err != nil {
		return store.Options{}, fmt.Errorf("--store takes an address, such as http://localhost:9090, or a file: %w", err)
	}
	return store.Parse(f.store, data)
}

// readSeries reads the description of series that a file holds, or else a preset.
func readSeries(name string) (*store.Description, error) {
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a description of series")
	if err != nil {
		p, ok := store.Shipped.Lookup(name)
		if !ok {
			return nil, fmt.Errorf("--series takes a file or the name of a preset, and --series help lists those: %w", err)
		}
		data = p.Text
	}
	return store.ParseDescribed(name, data)
}

// read reads the store.
func (g *fetched) read(cmd *cobra.Command, s *store.Store, d *store.Description, part *ingest.Selection) error {
	o := store.DefaultFetchOptions()
	o.Dir = g.dir
	now := time.Now()
	if o.From, o.To = part.Period.Since, now.Add(-settled); o.From.IsZero() {
		o.From = now.Add(-usualPeriod)
	}
	if u := part.Period.Until; !u.IsZero() && u.Before(o.To) {
		o.To = u.Add(time.Millisecond) // the sample of its end is among them
	}
	if !part.Servers.IsAll() {
		o.Choose = part.Servers.HasHost
	}
	show, end := showShare(cmd, "reading the store")
	o.Progress = show
	defer end()
	r, err := g.from(cmd.Context(), s, d, o)
	g.warnings = r.Warnings
	if err == nil {
		end()
		tellFetched(cmd, g, &r)
	}
	return err
}

func (g *fetched) from(ctx context.Context, s *store.Store, d *store.Description, o store.FetchOptions) (store.Result, error) {
	if d == nil {
		return store.Activity(ctx, s, o)
	}
	g.tables = filepath.Join(o.Dir, store.TablesFile)
	return store.Tables(ctx, s, d, o)
}

// tellFetched tells a person at a terminal what was read and where it is.
func tellFetched(cmd *cobra.Command, g *fetched, r *store.Result) {
	f := terminal(cmd)
	if f == nil {
		return
	}
	until := ""
	if g.temporary {
		until = " until the end"
	}
	fmt.Fprintf(f, "read %.1f million samples of %d servers by %s; %s in %s%s\n",
		float64(r.Samples)/1e6, r.Servers, r.Kind, bounded.FormatBytes(r.Bytes), g.dir, until)
}

// remove removes what is not to be kept.
func (g *fetched) remove() error {
	if !g.temporary {
		return nil
	}
	return os.RemoveAll(g.dir)
}

// source is a source of what was fetched.
func (g *fetched) source(s ingest.Source) ingest.Source { return &storeSource{s, g} }

// storeSource says what was wrong with the store, too, and cleans up.
type storeSource struct {
	ingest.Source
	fetched *fetched
}

func (s *storeSource) Warnings() []ingest.Warning {
	var list []ingest.Warning
	for _, text := range s.fetched.warnings {
		list = append(list, ingest.Warning{Text: text})
	}
	return append(list, s.Source.Warnings()...)
}

func (s *storeSource) Close() error { return errors.Join(s.Source.Close(), s.fetched.remove()) }

// printSeries lists the presets of series, or prints one.
func printSeries(w io.Writer, names []string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintf(w, "Presets for --series NAME:\n\n%s\nlimpet diagnose --series help NAME prints one, to be copied and changed.\n", store.Shipped.List())
		return err
	}
	for _, name := range names {
		p, ok := store.Shipped.Lookup(name)
		if !ok {
			return usageError{fmt.Errorf("there is no preset %q: --series help lists them", name)}
		}
		if _, err := w.Write(p.Text); err != nil {
			return err
		}
	}
	return nil
}

// orStore wants paths, unless a store is read or presets are listed.
func (f *sourceFlags) orStore(want cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if slices.Contains([]string{f.series, f.tables}, presetHelp) {
			return nil
		}
		if err := f.check(args, f.tables); err != nil {
			return usageError{err}
		}
		if f.store != "" {
			return nil
		}
		return want(cmd, args)
	}
}
