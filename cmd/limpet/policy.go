package main

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/report/action"
)

// readPolicy reads the policy of actions on incidents from a file; nil without a file.
func readPolicy(file string) (*action.Policy, error) {
	if file == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(file, bounded.MaxYAML, "a policy file")
	if err != nil {
		return nil, fmt.Errorf("--policy: %w", err)
	}
	return action.ParsePolicy(file, data)
}
