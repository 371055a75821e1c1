package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/limpet-storage/limpet/ingest/prints"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/bounded"
)

// Words that --tables takes in place of a description: help lists the presets, draft drafts a
// description.
const (
	presetHelp  = "help"
	presetDraft = "draft"
)

// readDescription reads a description of tables from the file called name. If there is no such
// file, it returns the preset called name.
func readDescription(name string) ([]byte, error) {
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a description file of tables")
	if err == nil {
		return data, nil
	}
	if p, ok := tables.Lookup(name); ok {
		return p.Text, nil
	}
	if absent, ok := errors.AsType[*fs.PathError](err); ok {
		err = absent.Err
	}
	return nil, fmt.Errorf("%s: %w; give a description file or the name of a preset with --tables (--tables help lists the presets)", name, err)
}

// tablesDirectory returns an error if --tables names a directory and not a description.
func tablesDirectory(name string) error {
	if info, err := os.Stat(name); err != nil || !info.IsDir() || name == presetDraft || slices.Contains(presetNames(), name) {
		return nil // a name without a file is the name of a preset
	}
	return usageError{fmt.Errorf("--tables %s is a directory: give a description file or the name of a preset, and then the tables: limpet diagnose --tables FILE %[1]s (--tables help lists the presets, --tables draft TABLE drafts a description file)", name)}
}

// presetNames returns the names of presets that --tables takes.
func presetNames() []string {
	var names []string
	for _, p := range tables.All() {
		names = append(names, p.Name)
	}
	for _, f := range tool.Histograms() {
		names = append(names, f.Name)
	}
	return names
}

// printPresets lists the presets. If names are given, it prints these presets, which a user can
// copy and change.
func printPresets(w io.Writer, names []string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintf(w, "Presets for --tables NAME:\n\n%s\nlimpet diagnose --tables help NAME prints a preset, so that you can copy and change it.\n", tables.List())
		return errors.Join(err, printHistogramFormats(w))
	}
	for _, name := range names {
		p, ok := tables.Lookup(name)
		if format := tool.LookupHistogram(name); format != nil {
			p.Text, ok = fmt.Appendf(nil, "# %s\n#\n#   %s\n", format.Title, format.Command), true
		}
		if !ok {
			return usageError{fmt.Errorf("there is no preset %q: --tables help lists the presets", name)}
		}
		if _, err := w.Write(p.Text); err != nil {
			return err
		}
	}
	return nil
}

// printHistogramFormats lists the formats of histograms.
func printHistogramFormats(w io.Writer) (err error) {
	_, err = fmt.Fprint(w, "\nPresets for histograms of how long requests took:\n\n")
	for _, f := range tool.Histograms() {
		_, e := fmt.Fprintf(w, "  %-22s %s\n", f.Name, f.Title)
		err = errors.Join(err, e)
	}
	return err
}

// printDraft prints a draft of the description of a table.
func printDraft(w io.Writer, paths []string) error {
	if len(paths) != 1 {
		return usageError{errors.New("--tables draft needs exactly one table, and drafts a description file for this table: limpet diagnose --tables draft FILE > tables.yaml")}
	}
	if paths[0] == prints.Stdin {
		return usageError{errors.New("--tables draft does not read standard input: save the table to a file, and give this file")}
	}
	text, err := tables.Describe(paths[0])
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
