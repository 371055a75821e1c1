package engine

import (
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// FormVersion is the version of the saved form.
const FormVersion = formVersion

// Outline describes the saved form of an engine and other stages. The engine must not be
// used afterwards.
func (e *Engine) Outline(others ...Stateful) state.Outline {
	return state.OutlineOf(func(c *state.Codec) { e.state(c, others) })
}

// Settings returns all settings of options, a line each.
func (o *Options) Settings() (lines []string) {
	all := o.settings()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, name+" "+all[name])
	}
	return lines
}

// StateBytes returns the bytes that the saved state has of components' own past, and of pauses and limits.
func (e *Engine) StateBytes() (past, limited int, err error) {
	size := func(of func(c *state.Codec, axes *blame.Axes)) int {
		var b []byte
		if err == nil {
			b, err = state.Encode(1, func(c *state.Codec) { of(c, e.places.Axes(c)) })
		}
		return len(b)
	}
	empty := size(func(*state.Codec, *blame.Axes) {})
	for _, q := range e.questions {
		switch q := q.(type) {
		case *components:
			past = size(q.past.State) + size(q.clients.State) - 2*empty
		case *limits:
			limited = size(q.state) - empty
		}
	}
	return past, limited, err
}

// SaveOldest returns the state of the engine in the oldest version that is read.
func (e *Engine) SaveOldest() ([]byte, error) {
	f := form(e.schema.Components)
	f.Version = oldestVersion
	return f.Encode(func(c *state.Codec) { e.state(c, nil) })
}
