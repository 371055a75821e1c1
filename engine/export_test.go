package engine

import "github.com/limpet-storage/limpet/internal/state"

// FormVersion is the version of what stages write.
const FormVersion = formVersion

// Outline describes what an engine and others beside it write. The engine is of no
// use afterwards.
func (e *Engine) Outline(others ...Stateful) state.Outline {
	return state.OutlineOf(func(c *state.Codec) { e.state(c, others) })
}
