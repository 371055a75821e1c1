package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/table"
)

// Form describes the rows of a log. The head of the log contains the Form.
type Form struct {
	StepSeconds int64    `json:"step_seconds"`
	Metrics     []string `json:"metrics"`
	Components  int      `json:"components"`
	Servers     int      `json:"servers"`
	Latencies   bool     `json:"latencies,omitempty"` // true if rows have latencies of requests
}

// maxRowBytes is the largest size of a row, in bytes. With this limit, a damaged head cannot
// exhaust the memory. A row of 100,000 components with 20 metrics has 16 MB.
const maxRowBytes = 1 << 28

// FormOf returns the form of the rows that a schema describes.
func FormOf(s table.Schema) Form {
	f := Form{StepSeconds: s.StepSeconds, Metrics: []string{}, Components: s.Components, Servers: s.Servers, Latencies: s.Latencies}
	for _, m := range s.Metrics {
		f.Metrics = append(f.Metrics, m.Name)
	}
	return f
}

// Check returns an error if rows of the form cannot be logged: a number is wrong, or a row would be
// larger than maxRowBytes.
func (f *Form) Check() error {
	if f.StepSeconds < 1 || f.Components < 0 || f.Servers < 0 || f.Servers > maxRowBytes ||
		len(f.Metrics) > maxRowBytes || f.Components > maxRowBytes/8/max(1, len(f.Metrics)) {
		return fmt.Errorf("time steps with %v cannot be written to the journal: a time step may have at most %d bytes", f, maxRowBytes)
	}
	return nil
}

func (f Form) String() string {
	return fmt.Sprintf("%d components, %d servers and time steps of %d s with the metrics %s", f.Components, f.Servers, f.StepSeconds, strings.Join(f.Metrics, ", "))
}

// Equal reports whether rows of the two forms are encoded in the same way.
func (f *Form) Equal(g *Form) bool {
	return f.StepSeconds == g.StepSeconds && f.Components == g.Components && f.Servers == g.Servers && f.Latencies == g.Latencies && slices.Equal(f.Metrics, g.Metrics)
}

// Text returns the form as JSON. The head of a log contains this text.
func (f *Form) Text() []byte {
	b, _ := json.Marshal(f) // no error: a Form can always be written as JSON
	return b
}

func parseForm(b []byte) (f Form, err error) {
	if err = json.Unmarshal(b, &f); err == nil {
		err = f.Check()
	}
	return f, err
}
