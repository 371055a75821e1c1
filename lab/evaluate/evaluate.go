package evaluate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine"
)

// A Method is a way to diagnose, for a comparison with others.
type Method struct {
	Name    string
	Options engine.Options
	Trained bool // its thresholds come from runs without a fault
}

// IndictingMethod returns the preset called name for the test bench. The preset must name servers:
// f10 does so with the checklist of the paper, default with the preset servers, by symptoms.
func IndictingMethod(name string) (Method, error) {
	preset := name
	if name == "default" {
		preset = "servers"
	}
	o, err := engine.Preset(preset)
	switch {
	case err != nil:
		return Method{}, err
	case o.HasQuestion(engine.Components):
		return Method{}, fmt.Errorf("method %s does not name faulty servers: use default or f10", name)
	}
	return Method{Name: name, Options: o, Trained: o.HasQuestion(engine.Checklist)}, nil
}

// checkMethods returns an error if methods cannot be compared.
func checkMethods(methods []Method) error {
	var errs []error
	if len(methods) == 0 {
		errs = append(errs, errors.New("no method is chosen: name at least one method"))
	}
	for i, m := range methods {
		if slices.ContainsFunc(methods[:i], func(o Method) bool { return o.Name == m.Name }) {
			errs = append(errs, fmt.Errorf("method %s is given twice: give each method once", m.Name))
		}
		if err := m.Options.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("method %s cannot be used: %w", m.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Progress is called with how much of the work is done.
type Progress func(done, total int)

// steps counts the work of all workers as it is done; a nil steps counts nothing.
type steps struct {
	done, total int
	tell        Progress
}

func (s *steps) did() {
	s.done++
	if s.tell != nil {
		s.tell(s.done, s.total)
	}
}
