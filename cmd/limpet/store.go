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

// storeFlags choose the store of metrics that is read instead of files.
type storeFlags struct {
	store, series, storeDir string
}

func (f *storeFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.store, "store", "", "read the data from the store of metrics at `URL` (Prometheus, VictoriaMetrics, Mimir, Thanos). Instead of URL, a YAML file can be given that also names a tenant, credentials and more. Without --since, the last 24 hours are read")
	fs.StringVar(&f.series, "series", "", "with --store: read the series that the YAML `FILE` or a preset describes; --series help lists the presets (default: the series of node_exporter)")
	fs.StringVar(&f.storeDir, "store-dir", "", "with --store: keep the data in this `directory`, so that the next run reads only newer data (default: a temporary directory, which is removed at the end)")
}

// check returns an error if flags cannot be used together.
func (f *storeFlags) check(args []string, tables string) error {
	switch {
	case f.store == "" && (f.series != "" || f.storeDir != ""):
		return errors.New("--series and --store-dir need --store: add --store URL")
	case f.store != "" && len(args) > 0:
		return fmt.Errorf("data can be read from a store or from files, not from both: remove --store, or remove %s", args[0])
	case f.store != "" && tables != "":
		return errors.New("--tables cannot be used with --store: describe the series of a store with --series")
	}
	return nil
}

// fetched holds the files with the data that were read from a store.
type fetched struct {
	dir       string
	tables    string // description of the files as tables; empty: they are activity files
	temporary bool
	warnings  []string
}

// usualPeriod is the period that is read if the user gives none: a store may hold years.
const usualPeriod = 24 * time.Hour

// settled is the least age of samples that are read: younger samples may not have arrived
// completely.
const settled = 30 * time.Second

// fetch reads the chosen data from the store into files.
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

// options returns the options of the store at an address, or of the file that describes a store.
func (f *storeFlags) options() (store.Options, error) {
	if store.IsAddress(f.store) {
		o := store.DefaultOptions()
		o.Post.URL = f.store
		return o, nil
	}
	data, err := bounded.ReadFile(f.store, bounded.MaxYAML, "a description file of a store")
	if err != nil {
		return store.Options{}, fmt.Errorf("--store needs an address, such as http://localhost:9090, or a file: %w", err)
	}
	return store.Parse(f.store, data)
}

// readSeries reads a description of series from the file called name. If there is no such file, it
// returns the preset called name.
func readSeries(name string) (*store.Description, error) {
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a description file of series")
	if err != nil {
		p, ok := store.Shipped.Lookup(name)
		if !ok {
			return nil, fmt.Errorf("--series needs a file or the name of a preset (--series help lists the presets): %w", err)
		}
		data = p.Text
	}
	return store.ParseDescribed(name, data)
}

// read reads the chosen data from the store into the directory.
func (g *fetched) read(cmd *cobra.Command, s *store.Store, d *store.Description, part *ingest.Selection) error {
	o := store.DefaultFetchOptions()
	o.Dir = g.dir
	now := time.Now()
	if o.From, o.To = part.Period.Since, now.Add(-settled); o.From.IsZero() {
		o.From = now.Add(-usualPeriod)
	}
	if u := part.Period.Until; !u.IsZero() && u.Before(o.To) {
		o.To = u.Add(time.Millisecond) // a sample at the end of the period is included
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

// tellFetched prints on a terminal the amount of data and the directory. Without a terminal, it
// prints nothing.
func tellFetched(cmd *cobra.Command, g *fetched, r *store.Result) {
	f := terminal(cmd)
	if f == nil {
		return
	}
	until := ""
	if g.temporary {
		until = ", which is removed at the end"
	}
	fmt.Fprintf(f, "%.1f million samples of %d servers were read by %s; the samples take %s in %s%s\n",
		float64(r.Samples)/1e6, r.Servers, r.Kind, bounded.FormatBytes(r.Bytes), g.dir, until)
}

// remove removes the directory if it is temporary.
func (g *fetched) remove() error {
	if !g.temporary {
		return nil
	}
	return os.RemoveAll(g.dir)
}

// source returns a source that removes the files when it is closed.
func (g *fetched) source(s ingest.Source) ingest.Source { return &storeSource{s, g} }

// storeSource is a source of the fetched files. It adds the warnings of the store, and Close
// removes the files.
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

// printSeries lists the presets of series. If names are given, it prints these presets.
func printSeries(w io.Writer, names []string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintf(w, "Presets for --series NAME:\n\n%s\nlimpet diagnose --series help NAME prints a preset, so that you can copy and change it.\n", store.Shipped.List())
		return err
	}
	for _, name := range names {
		p, ok := store.Shipped.Lookup(name)
		if !ok {
			return usageError{fmt.Errorf("there is no preset %q: --series help lists the presets", name)}
		}
		if _, err := w.Write(p.Text); err != nil {
			return err
		}
	}
	return nil
}

// orStore returns a check that wants paths, unless a store is read or presets are listed.
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
