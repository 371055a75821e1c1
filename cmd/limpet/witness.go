package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

	filepaths "github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/internal/unpack"
	"github.com/limpet-storage/limpet/report/witness"
	"github.com/limpet-storage/limpet/topology/site"
)

// mostWitness is the largest size of a witness file: a year of a long kernel log.
const mostWitness = 256 << 20 // bytes

// witnesses are files with output of smartctl or kernel logs.
type witnesses struct {
	files  []string
	record *witness.Record // nil without files
}

// findWitnesses lists the files. It returns an error if a file cannot be opened, before any data
// are read.
func findWitnesses(given []string) (w witnesses, err error) {
	if len(given) == 0 {
		return w, nil
	}
	if w.files, err = filepaths.List(given); err != nil {
		return w, fmt.Errorf("--witness: %w", err)
	}
	for _, file := range w.files {
		f, err := os.Open(file)
		if err != nil {
			return w, fmt.Errorf("--witness: %w", err)
		}
		f.Close()
	}
	w.record = &witness.Record{}
	return w, nil
}

// read reads the files. Times without a year are near the time near. A file that cannot be read or
// recognised is only a warning, because no verdict needs it.
func (w *witnesses) read(near int64, zone *time.Location) (warnings []string) {
	log := &witness.KernelLogReader{Zone: zone, Near: near}
	for _, file := range w.files {
		data, err := readBounded(file)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("--witness: %v; this file is not used", err))
			continue
		}
		switch lines, server := w.add(file, data, log); {
		case lines == 0:
			warnings = append(warnings, fmt.Sprintf("%s is not used, because limpet can read only output of smartctl and kernel logs with dates: give the output of smartctl -x, dmesg -T or journalctl -k -o short-iso", file))
		case server == "":
			warnings = append(warnings, fmt.Sprintf("%s does not name its server, so limpet recognises the drives in this file only by serial numbers and WWNs: give the file the name of its server", file))
		}
	}
	return warnings
}

// add adds the lines of a file to the record. It returns their number and the name of the server.
func (w *witnesses) add(file string, data []byte, log *witness.KernelLogReader) (lines int, server string) {
	for _, t := range site.Cut(file, data) {
		t.Host = cmp.Or(t.Host, site.HostOfFile(file))
		lines += log.Read(t, w.record) + witness.ReadSMART(t, w.record)
		server = cmp.Or(server, t.Host)
	}
	if known := w.record.Servers(); server == "" && len(known) > 0 {
		server = known[0] // the lines of a log name the server
	}
	return lines, server
}

// readBounded reads and unpacks a file of at most mostWitness bytes.
func readBounded(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	first := make([]byte, unpack.MagicBytes)
	n, err := io.ReadFull(f, first)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r := io.MultiReader(bytes.NewReader(first[:n]), f)
	if kind := unpack.KindOf(first[:n]); kind != unpack.Plain {
		if r, err = unpack.NewReader(kind, r, mostWitness); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, mostWitness+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	case len(data) > mostWitness:
		return nil, fmt.Errorf("%s is larger than %d bytes, which is the limit: give only the days around the incident", file, mostWitness)
	}
	return data, nil
}
