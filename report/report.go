// Package report shows a diagnosis: incidents in words, with lists in the form of
// L13 Figure 5 on request, JSON and CSV with all scores, and a page with the
// evidence. All of them
// hear the same diagnosis; none computes anything.
package report

import (
	"fmt"
	"io"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Subject is what a report is about.
type Subject struct {
	System  *topology.System
	Schema  table.Schema
	Options diagnose.Options
	Trained bool
	// Columns cuts the lines of hourly lists in text; 0 leaves them whole.
	Columns int
	// Lists shows the hourly lists in text, behind the incidents.
	Lists bool
	// Why shows the evidence of every incident in text.
	Why bool
}

// Summary is what is known at the end of a diagnosis.
type Summary struct {
	Incidents    []incident.Incident
	Top          []rank.Entry
	Accumulators []rank.Entry // all of them, where a page is wanted
	Indictments  []explain.Indictment
	Examined     int   // windows in which servers could be judged
	From, To     int64 // of the data
	Heard        int   // servers that sent anything
	Limits       diagnose.Limits
	Idle         []diagnose.Idleness
	Silent       []diagnose.Silence
	Warnings     []string
}

// Writer writes a report as the diagnosis goes on.
type Writer interface {
	diagnose.Listener
	// Finish writes what stands at the end, and returns the first error.
	Finish(Summary) error
}

// Formats lists the names that [New] knows.
func Formats() []string { return []string{"text", "json", "csv"} }

// New returns a writer of the given format.
func New(format string, w io.Writer, s Subject) (Writer, error) {
	switch format {
	case "text":
		return newText(w, s), nil
	case "json":
		return newJSON(w, s), nil
	case "csv":
		return newCSV(w, s), nil
	}
	return nil, fmt.Errorf("format %q is unknown: use text, json or csv", format)
}

// utc formats a time for people.
func utc(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04") }

// rfc3339 formats a time for programs.
func rfc3339(t int64) string { return time.Unix(t, 0).UTC().Format(time.RFC3339) }

// sink remembers the first error of a writer.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

// several passes a diagnosis on to several listeners.
type several []diagnose.Listener

// Several returns a listener that passes on to all of ls.
func Several(ls ...diagnose.Listener) diagnose.Listener { return several(ls) }

func (s several) Window(w *detect.Window) {
	for _, l := range s {
		l.Window(w)
	}
}

func (s several) List(list *diagnose.List) {
	for _, l := range s {
		l.List(list)
	}
}
