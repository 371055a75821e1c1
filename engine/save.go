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

// formVersion is the version of what stages write. It grows with every change of
// what any of them remembers.
const formVersion = 12

// mostComponentBytes is the most that an engine may remember of a component, beside the
// gigabyte that any state may have. It has 4 kB of memory for one (docs/scale.md).
const mostComponentBytes = 16 << 10

// mostStateBytes bounds the state of an engine with so many components.
func mostStateBytes(components int) int64 {
	return state.MostBytes + mostComponentBytes*int64(components)
}

// Stateful is what remembers something, such as the writer of a report that was
// begun.
type Stateful interface {
	State(*state.Codec, *blame.Axes)
}

// Save returns all that an engine remembers, and that others beside it do, as one
// block of bytes. It may be called between any two rows.
func (e *Engine) Save(others ...Stateful) ([]byte, error) {
	return state.EncodeUpTo(mostStateBytes(e.schema.Components), formVersion, func(c *state.Codec) { e.state(c, others) })
}

// Restore returns an engine that goes on where another was saved, with the same
// settings and a topology that may have changed. Others get back what they
// remembered, in the order in which they were saved. After an error nothing of
// the state may be used.
func Restore(data []byte, o Options, system *topology.System, schema table.Schema, model *persistence.Model, l Listener, others ...Stateful) (*Engine, error) {
	e, err := New(o, system, schema, model, l)
	if err != nil {
		return nil, err
	}
	if err := state.DecodeUpTo(mostStateBytes(schema.Components), data, formVersion, func(c *state.Codec) { e.state(c, others) }); err != nil {
		return nil, err
	}
	e.tracker.Drop(e.hearing.Last) // all is read: now others may hear of it
	return e, nil
}

func (e *Engine) state(c *state.Codec, others []Stateful) {
	e.settings(c)
	if c.Failed() {
		return
	}
	axes := e.places.Axes(c)
	e.hearing.State(c, axes)
	for _, q := range e.questions {
		q.state(c, axes)
	}
	e.tracker.State(c, axes)
	for _, o := range others {
		o.State(c, axes)
	}
}

// settings writes what an engine was made with, or refuses a state that was made
// with something else.
func (e *Engine) settings(c *state.Codec) {
	now := e.fingerprint()
	was := maps.Clone(now)
	state.Map(c, &was, state.Text[string], state.Text[string])
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was[name] != now[name] {
			c.Failf("the state was made with other settings: %s is %s there and %s here; use the same settings, or begin anew", name, orNothing(was[name]), now[name])
			return
		}
	}
	if len(was) != len(now) {
		c.Failf("the state was made with other settings: use the same settings, or begin anew")
	}
}

func orNothing(text string) string {
	if text == "" {
		return "not known"
	}
	return text
}

// fingerprint lists every setting by its name.
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
	if err != nil { // options are plain data, which JSON can write
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
