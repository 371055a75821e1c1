package report

import (
	"io"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/report/internal/ledger"
	"github.com/limpet-storage/limpet/state"
)

// Standing hears a diagnosis that never ends. It can be written at any time and in
// every format, and is then what a diagnosis of all rows so far would have written.
// What it remembers is bounded.
type Standing struct{ base }

// NewStanding returns one that has heard nothing yet.
func NewStanding(s Subject) *Standing {
	s.Lists = false // they are told as they come
	return &Standing{newBase(s)}
}

// Window notes what could be judged.
func (s *Standing) Window(w *detect.Window) { s.Judge(w) }

// List has nothing to keep.
func (s *Standing) List(*diagnose.List) {}

// State writes or reads what was heard.
func (s *Standing) State(c *state.Codec, axes *place.Axes) { s.Ledger.State(c, axes) }

// Write writes how things stand.
func (s *Standing) Write(w io.Writer, format string, sum Summary) error {
	out, err := New(format, w, s.s)
	if err != nil {
		return err
	}
	out.(interface{ recall(*ledger.Ledger) }).recall(s.Ledger)
	return out.Finish(sum)
}

// recall makes a writer remember what another has heard.
func (b *base) recall(l *ledger.Ledger) { b.Ledger = l }
