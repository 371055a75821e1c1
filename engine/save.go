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

// formVersion is the version of the format of saved states. A stage is a part of the engine that
// saves its data, such as a detector. formVersion must increase with every change of the data that
// any stage saves. It must also increase with every change of a default setting, because a state
// that was saved with other settings cannot be read. The larger number makes sure that a node of an
// older version leaves such a state alone.
//
// oldestVersion is the oldest version that Restore reads. A stage whose data have changed since
// oldestVersion reads all forms of the data (state.Codec.IsAfter). In version 21, evidence has no
// name of a client (finding.HasClients). In version 22, the usual work of drives is not saved
// (package symptom).
const (
	formVersion   = 23
	oldestVersion = 21
)

// StageVersion is the version of the data that the stages of an engine write (state.Form.Stages).
const StageVersion = formVersion

// maxComponentBytes is the number of bytes that a saved state may have for each component, in
// addition to state.MostBytes (one gigabyte). An engine uses about 4 kB of memory per component
// (docs/scale.md), so 16 kB is enough.
const maxComponentBytes = 16 << 10

// form describes the saved states of an engine with the given number of components: their versions
// and their greatest size.
func form(components int) state.Form {
	return state.Form{Version: formVersion, Oldest: oldestVersion, Most: state.MostBytes + maxComponentBytes*int64(components)}
}

// Stateful is a part outside the engine, such as the writer of an unfinished report. Its state is
// saved together with the state of the engine.
type Stateful interface {
	State(*state.Codec, *blame.Axes)
}

// Save returns the state of the engine and of the stages `others` as one block of bytes. Save may
// be called between any two rows.
func (e *Engine) Save(others ...Stateful) ([]byte, error) {
	return form(e.schema.Components).Encode(func(c *state.Codec) { e.state(c, others) })
}

// Restore returns an engine that continues from a saved state. Options and schema must be the same
// as in the saved engine, but the topology may have changed. Restore also restores the stages
// `others`, which must be in the same order as in the call of Save. After an error, neither the
// engine nor these stages may be used.
func Restore(data []byte, o Options, system *topology.System, schema table.Schema, model *persistence.Model, l Listener, others ...Stateful) (*Engine, error) {
	e, err := New(o, system, schema, model, l)
	if err != nil {
		return nil, err
	}
	if err := form(schema.Components).Decode(data, func(c *state.Codec) { e.state(c, others) }); err != nil {
		return nil, err
	}
	e.tracker.Drop(e.dataTimes.Last) // Drop sends events, so everything else must be restored before this call
	return e, nil
}

// ErrNewer means that a newer version of limpet has saved a state.
var ErrNewer = state.ErrNewer

// ErrOlder means that an older version of limpet has saved a state, and that this version cannot
// read it.
var ErrOlder = state.ErrOlder

// CheckSaved returns an error if a saved state is damaged, or if another version of limpet saved it
// in a format that Restore does not read.
func CheckSaved(data []byte) error { return form(0).Check(data) }

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

// settings writes the values on which a saved state depends (fingerprint). When it reads a saved
// state, it reports an error if these values were different when the state was saved.
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

// fingerprint returns all values on which a saved state depends: the properties of the rows, the
// model and the settings of the engine. The map has each value as text, by its name.
func (e *Engine) fingerprint() map[string]string {
	var names []string
	for _, m := range e.schema.Metrics {
		names = append(names, m.Name)
	}
	out := map[string]string{
		"step": fmt.Sprintf("%d s", e.schema.StepSeconds), "data": strings.Join(names, ", "), "asked": fmt.Sprint(len(e.questions)),
		"load": fmt.Sprint(e.schema.Load), "sparse": fmt.Sprint(e.schema.Sparse), "model": e.model,
	}
	maps.Copy(out, e.opts.settings())
	return out
}

// settings returns a map from the name of every setting to its value as text.
func (o *Options) settings() map[string]string {
	out := map[string]string{}
	data, err := json.Marshal(o)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil { // this does not happen: json.Marshal can write all options, and json.Unmarshal can read the result
		out["options"] = err.Error()
	}
	flatten("", tree, out)
	return out
}

// Chosen returns the method, and the settings that differ from the defaults of this version of
// limpet. Two nodes of different versions may have different defaults. They still have the same
// chosen settings if their operators changed the same settings in the same way.
func (o *Options) Chosen() map[string]string {
	defaults, _ := Preset(o.Method) // an unknown method is compared with the default settings
	usual, out := defaults.settings(), map[string]string{"method": o.Method}
	for name, value := range o.settings() {
		if usual[name] != value {
			out[name] = value
		}
	}
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
