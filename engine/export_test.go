package engine

import "github.com/limpet-storage/limpet/internal/state"

// FormVersion is the version of the saved form.
const FormVersion = formVersion

// Outline describes the saved form of an engine and other stages. The engine must not be
// used afterwards.
func (e *Engine) Outline(others ...Stateful) state.Outline {
	return state.OutlineOf(func(c *state.Codec) { e.state(c, others) })
}
