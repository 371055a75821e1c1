package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// formVersion is the version of the format of saved states. It must increase with every
// change of the data that any stage saves.
const formVersion = 21

// maxComponentBytes bounds the saved bytes per component, in addition to the gigabyte
// that any state may have. An engine uses about 4 kB of memory per component
// (docs/scale.md), so 16 kB is enough.
const maxComponentBytes = 16 << 10

// maxStateBytes returns the greatest size of a saved state, in bytes, for an engine with
// the given number of components.
func maxStateBytes(components int) int64 {
	return state.MostBytes + maxComponentBytes*int64(components)
}

// Stateful is a stage outside the engine, such as the writer of an unfinished report. Its
// state is saved together with the state of the engine.
type Stateful interface {
	State(*state.Codec, *blame.Axes)
}

// Save returns the state of the engine and of the stages in others as one block of bytes.
// Save may be called between any two rows.
func (e *Engine) Save(others ...Stateful) ([]byte, error) {
	return state.EncodeUpTo(maxStateBytes(e.schema.Components), formVersion, func(c *state.Codec) { e.state(c, others) })
}

// Restore returns an engine that continues from a saved state. Options and schema must be
// the same as in the saved engine, but the topology may have changed. Restore also
// restores the stages in others, which must be in the same order as in the call of Save.
// After an error, neither the engine nor these stages may be used.
func Restore(data []byte, o Options, system *topology.System, schema table.Schema, model *persistence.Model, l Listener, others ...Stateful) (*Engine, error) {
	e, err := New(o, system, schema, model, l)
	if err != nil {
		return nil, err
	}
	if err := state.DecodeUpTo(maxStateBytes(schema.Components), data, formVersion, func(c *state.Codec) { e.state(c, others) }); err != nil {
		return nil, err
	}
	e.tracker.Drop(e.dataTimes.Last) // sends events, so everything must be restored first
	return e, nil
}

// ErrNewer means that a newer version of limpet has saved a state.
var ErrNewer = state.ErrNewer

// CheckSaved returns an error if a saved state is damaged, or if another version of limpet saved it
// in a format that Restore does not read.
func CheckSaved(data []byte) error { return state.Check(data, formVersion) }

func (e *Engine) state(c *state.Codec, others []Stateful) {
	e.settings(c)
	if c.Failed() {
		return
	}
	axes := e.places.Axes(c)
	e.dataTimes.State(c, axes)
	for _, q := range e.questions {
		q.state(c, axes)
	}
	e.tracker.State(c, axes)
	for _, o := range others {
		o.State(c, axes)
	}
}

// settings writes the settings of the engine. When it reads a saved state, it reports an error if
// the state was saved with other settings.
func (e *Engine) settings(c *state.Codec) {
	now := e.fingerprint()
	was := maps.Clone(now)
	state.Map(c, &was, state.Text[string], state.Text[string])
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was[name] != now[name] {
			c.Failf("the saved state was written with other settings: %s was %s and is now %s; use the same settings, or start without the saved state", name, orUnknown(was[name]), now[name])
			return
		}
	}
	if len(was) != len(now) {
		c.Failf("the saved state was written with other settings: use the same settings, or start without the saved state")
	}
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

// fingerprint returns a map from the name of every setting to its value as text.
func (e *Engine) fingerprint() map[string]string {
	var names []string
	for _, m := range e.schema.Metrics {
		names = append(names, m.Name)
	}
	out := map[string]string{
		"step": fmt.Sprintf("%d s", e.schema.StepSeconds), "data": strings.Join(names, ", "), "asked": fmt.Sprint(len(e.questions)),
		"load": fmt.Sprint(e.schema.Load), "sparse": fmt.Sprint(e.schema.Sparse), "model": e.model,
	}
	data, err := json.Marshal(e.opts)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil { // this does not happen, because JSON can write all options
		out["options"] = err.Error()
	}
	flatten("", tree, out)
	return out
}

func flatten(prefix string, tree map[string]any, out map[string]string) {
	for name, v := range tree {
		if sub, ok := v.(map[string]any); ok {
			flatten(prefix+name+".", sub, out)
			continue
		}
		out[prefix+name] = fmt.Sprint(v)
	}
}
