package engine

import (
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
			past = size(q.past.State) - empty
		case *limits:
			limited = size(q.state) - empty
		}
	}
	return past, limited, err
}
