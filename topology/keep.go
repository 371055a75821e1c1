package topology

import (
	"encoding/json"
	"fmt"
)

// Keep encodes a system. A running diagnosis keeps the system of its rows, because the files may
// describe another system when they are read again.
func (s *System) Keep() ([]byte, error) { return json.Marshal(s) }

// Kept decodes a system from [System.Keep].
func Kept(data []byte) (*System, error) {
	var s System
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	for g := range s.Groups {
		for _, c := range s.Groups[g].Members {
			if c < 0 || c >= len(s.Components) {
				return nil, fmt.Errorf("internal error: peer group %s has component %d, and there are only %d components", s.Groups[g].Name, c, len(s.Components))
			}
		}
	}
	s.index()
	return &s, nil
}
