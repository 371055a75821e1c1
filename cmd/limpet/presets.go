package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/limpet-storage/limpet/bounded"
	"github.com/limpet-storage/limpet/collect/tables/presets"
	"github.com/limpet-storage/limpet/sysstat"
)

// presetHelp is what --tables takes for the list of presets.
const presetHelp = "help"

// readDescription reads the description of tables that a file holds, or else a
// preset of that name.
func readDescription(name string) ([]byte, error) {
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a description of tables")
	if err == nil {
		return data, nil
	}
	if p, ok := presets.Lookup(name); ok {
		return p.Text, nil
	}
	if absent, ok := errors.AsType[*fs.PathError](err); ok {
		err = absent.Err
	}
	return nil, fmt.Errorf("%s: %w; --tables takes a file or the name of a preset, and --tables help lists those", name, err)
}

// presetNames are what --tables takes besides files.
func presetNames() []string {
	var names []string
	for _, p := range presets.All() {
		names = append(names, p.Name)
	}
	return names
}

// printPresets lists the presets, or prints one, which may be copied and
// changed.
func printPresets(w io.Writer, names []string) error {
	if len(names) == 0 {
		_, err := fmt.Fprintf(w, "Presets for --tables NAME:\n\n%s\nlimpet diagnose --tables help NAME prints one, to be copied and changed.\n", presets.List())
		return err
	}
	for _, name := range names {
		p, ok := presets.Lookup(name)
		if !ok {
			return usageError{fmt.Errorf("there is no preset %q: --tables help lists them", name)}
		}
		if _, err := w.Write(p.Text); err != nil {
			return err
		}
	}
	return nil
}

// recognised says what a file is that is no activity file, and what to type.
func recognised(err error) error {
	refused, ok := errors.AsType[*sysstat.FormatError](err)
	if !ok {
		return err
	}
	what, tables := presets.Recognise(headOf(refused.File))
	switch {
	case what == "":
		return err
	case tables == "":
		return fmt.Errorf("%s is no activity file but %s", refused.File, what)
	case tables == "FILE":
		return fmt.Errorf("%s is no activity file but %s: say in a YAML file what its columns are, and add --tables FILE (limpet help tables)", refused.File, what)
	}
	return fmt.Errorf("%s is no activity file but %s: add --tables %s", refused.File, what, tables)
}

// headOf is the beginning of a file, what can be read of it.
func headOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, presets.Head))
	return head
}
