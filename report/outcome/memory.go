package outcome

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/report/sentence"
)

// The file of a memory begins with a line that has the name and the version of the format, and the
// checksum of the rest:
//
//	limpet-changes 2 sha256 5feceb66…
//	{"data_until": 1772352000, "told": [
//	  {"id": "ec082432", "section": "Now", "what": "LUN 1.07: single LUN"}]}
//
// A file of version 1 has no field without_data. It is read as a file without such servers.
const (
	magic         = "limpet-changes"
	version       = 2
	oldestVersion = 1
)

// Memory holds the incidents that the last run printed.
type Memory struct {
	to       int64            // end of its data, Unix time; 0: there was no run
	unjudged bool             // the last run could judge nothing
	shown    map[string]Shown // incidents of the last run, by ID
	next     map[string]Shown // incidents of this run, by ID
	again    []Shown          // incidents that were over in the last run, and have come back

	without, nowWithout []string // servers without any data that limpet can use: in the last run, and in this run
}

// Shown is an incident or a suspect that a run printed.
type Shown struct {
	ID      string `json:"id"`
	Section string `json:"section"`
	What    string `json:"what"`
	Until   int64  `json:"until,omitempty"` // Unix time at which the incident ended; 0: it was not over
}

// rememberSeconds is the time for which an ended incident is kept, so that it is recognised when it
// comes back. The engine keeps it for the same time.
const rememberSeconds = 7 * 86400

type memoryFile struct {
	DataUntil int64   `json:"data_until"`
	Unjudged  bool    `json:"unjudged,omitempty"`
	Shown     []Shown `json:"told"`

	WithoutData []string `json:"without_data,omitempty"`
}

// ReadMemory reads the file of the last run. Without the file the memory is empty, and
// everything is new.
func ReadMemory(path string) (*Memory, error) {
	data, err := bounded.ReadFile(path, bounded.MaxResult, "a state file of --changes")
	m := &Memory{shown: map[string]Shown{}, next: map[string]Shown{}}
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := parseMemory(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	m.to, m.unjudged, m.without = file.DataUntil, file.Unjudged, file.WithoutData
	for _, t := range file.Shown {
		m.shown[t.ID] = t
	}
	return m, nil
}

func parseMemory(data []byte) (*memoryFile, error) {
	head, body, _ := bytes.Cut(data, []byte("\n"))
	var number int
	var sum string
	if _, err := fmt.Sscanf(string(head), magic+" %d sha256 %64s", &number, &sum); err != nil {
		return nil, errors.New("is not a state file of --changes: name another file; limpet creates the file if it does not exist")
	}
	if number < oldestVersion || number > version {
		return nil, fmt.Errorf("was written by another version of limpet (file format %d, this version reads %d to %d): delete the file. The next run then reports everything as new", number, oldestVersion, version)
	}
	file := &memoryFile{}
	if sum != checksum(body) || json.Unmarshal(body, file) != nil {
		return nil, errors.New("is damaged (its checksum is wrong): delete the file. The next run then reports everything as new")
	}
	return file, nil
}

// IsMemory reports whether a file is a state file of --changes, of any version. It reads only the
// beginning of the file.
func IsMemory(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() { // to open a FIFO would wait for a writer
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic)+1)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic+" "
}

func checksum(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }

// Write writes the incidents of this run, for the next run.
func (m *Memory) Write(ctx context.Context, path string, s *engine.Summary, o Outcome) error {
	file := memoryFile{DataUntil: s.To, Unjudged: o == Unjudged, Shown: []Shown{}, WithoutData: m.nowWithout}
	if o == Unjudged { // without a judgement, the old incidents are kept
		file.DataUntil = m.to
		for id, t := range m.shown {
			if _, ok := m.next[id]; !ok {
				m.next[id] = t
			}
		}
	}
	m.carry(s.To)
	for _, id := range slices.Sorted(maps.Keys(m.next)) {
		file.Shown = append(file.Shown, m.next[id])
	}
	body, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		return err
	}
	body = append(body, '\n')
	return outfile.Write(ctx, path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %d sha256 %s\n%s", magic, version, checksum(body), body)
		return err
	})
}

// carry keeps incidents of the last run that this run does not have: those that were over, and open
// ones, which count as over now.
func (m *Memory) carry(to int64) {
	for id, t := range m.shown {
		if _, known := m.next[id]; known {
			continue
		}
		if t.isOpen() {
			t.Section, t.Until = sentence.Over.String(), m.to
		}
		if t.Section == sentence.Over.String() && t.Until > to-rememberSeconds {
			m.next[id] = t
		}
	}
}

// isOpen reports whether the incident was not over when a run printed it.
func (t *Shown) isOpen() bool {
	return t.Section == sentence.Now.String() || t.Section == sentence.Recovering.String()
}

// isNew adds an incident to the file for the next run. It reports whether the incident is new or
// has changed (begun, become certain, begun to recover, over, back, muted). matters reports whether
// the last run printed the incident, or whether it came and ended since.
func (m *Memory) isNew(in *incident.Incident) (isNew, matters bool) {
	t := Shown{ID: idOf(in), Section: sentence.SectionOf(in).String(), What: fmt.Sprintf("%s: %s", sentence.Placed(in), sentence.KindOf(in)), Until: in.Cleared}
	m.next[t.ID] = t
	was, shown := m.shown[t.ID]
	since := m.to > 0 && t.Section == sentence.Over.String() && in.Cleared > m.to
	if shown && was.Until > 0 && began(in) > was.Until {
		m.again = append(m.again, was)
		return true, true
	}
	return was.Section != t.Section, shown || since
}

// began returns the time at which an incident last began; 0: unknown.
func began(in *incident.Incident) int64 {
	if len(in.Spans) == 0 {
		return 0
	}
	return in.Spans[len(in.Spans)-1].From
}

// Again returns a line for each incident that was over in the last run and has come back under the
// same ID.
func (m *Memory) Again(zone *time.Location) (lines []string) {
	for _, t := range m.again {
		lines = append(lines, fmt.Sprintf("The problem is back: %s [%s]. The earlier incident had ended at %s.", t.What, t.ID, at(t.Until, zone)))
	}
	return lines
}

// at formats a time for a heading.
func at(t int64, zone *time.Location) string {
	return time.Unix(t, 0).In(zone).Format("2006-01-02 15:04Z07:00")
}

// idOf returns the ID of an incident. A suspect has no ID; its class and place are used instead.
func idOf(in *incident.Incident) string {
	return cmp.Or(in.ID, fmt.Sprintf("%s of %s %s", in.Class, in.Place.Tier, in.Place.Name))
}

// Gone returns a line for each open incident of the last run that this run does not have: it ended
// before the data begin, or became a part of another incident. If nothing could be judged, there
// are no lines.
func (m *Memory) Gone(o Outcome) []string {
	var lines []string
	if o == Unjudged {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(m.shown)) {
		t := m.shown[id]
		if _, still := m.next[id]; !still && t.isOpen() {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("No longer seen: %s [%s]", t.What, id)))
		}
	}
	return lines
}
