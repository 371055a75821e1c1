package simulate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// ParseTruth reads a truth file. Errors carry the name.
func ParseTruth(name string, data []byte) (*Truth, error) {
	r := truthReader{yamlfile.New(name)}
	t := &Truth{}
	if root := r.Root(data, "system:"); root != nil {
		r.read(t, root)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

type truthReader struct{ *yamlfile.Decoder }

func (r truthReader) read(t *Truth, root *yaml.Node) {
	f := r.Fields(root, "a truth file", "system", "seed", "from", "to", "faults", "harmless")
	if !r.Required(root, f, "system", "from", "to") {
		return
	}
	t.System, t.Seed = r.Text(f["system"]), r.seed(f["seed"])
	t.From, t.To = r.span(f)
	t.Faults = r.events(f["faults"], "faults", false)
	t.Harmless = r.events(f["harmless"], "harmless", true)
}

func (r truthReader) events(n *yaml.Node, section string, harmless bool) []Fault {
	var faults []Fault
	for _, entry := range r.Entries(n, section) {
		f := r.Fields(entry, "an event", "kind", "component", "from", "to", "text", "attachments")
		if !r.Required(entry, f, "kind", "component", "from", "to") {
			continue
		}
		fault := Fault{Kind: r.kind(f["kind"]), Component: r.Text(f["component"]), Text: r.Text(f["text"])}
		if fault.Kind != "" && fault.Kind.Harmless() != harmless {
			right := "faults"
			if fault.Kind.Harmless() {
				right = "harmless"
			}
			r.Errorf(f["kind"], "an event of the kind %q must not be in the list \"%s\": move the event to the list \"%s\"", fault.Kind, section, right)
		}
		fault.From, fault.To = r.span(f)
		if f["attachments"] != nil && len(f["attachments"].Content) > 0 {
			fault.Attachments = r.Texts(f["attachments"])
		}
		faults = append(faults, fault)
	}
	return faults
}

func (r truthReader) kind(n *yaml.Node) Kind {
	kind := Kind(r.Text(n))
	if !slices.Contains(Kinds(), kind) {
		var known []string
		for _, k := range Kinds() {
			known = append(known, string(k))
		}
		r.Errorf(n, "%q is not a kind of event: write one of %s", kind, strings.Join(known, ", "))
		return ""
	}
	return kind
}

func (r truthReader) seed(n *yaml.Node) uint64 {
	if n == nil {
		return 0
	}
	seed, err := strconv.ParseUint(r.Text(n), 10, 64)
	if err != nil {
		r.Errorf(n, "%q is not a seed: write a whole number", n.Value)
	}
	return seed
}

func (r truthReader) span(f map[string]*yaml.Node) (from, to time.Time) {
	from, to = r.time(f["from"]), r.time(f["to"])
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		r.Errorf(f["to"], "the end of the event (\"to\") is before its start (\"from\"): exchange the two times")
	}
	return from, to
}

func (r truthReader) time(n *yaml.Node) time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.Text(n))
	if err != nil {
		r.Errorf(n, "%q is not a time: write a time such as 2026-03-01T02:00:00Z", n.Value)
		return time.Time{}
	}
	return t.UTC()
}
