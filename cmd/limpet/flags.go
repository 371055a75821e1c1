package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/bounded"
)

// flagError says what is wrong with a flag in the flag's own words.
func flagError(err error) error {
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	flag := wrong.GetFlag()
	if refusal, ok := errors.AsType[*bounded.Error](err); ok {
		return fmt.Errorf("--%s %w", flag.Name, refusal)
	}
	if flag.Value.Type() == "bool" {
		return fmt.Errorf("--%s is given or left out: %q says neither", flag.Name, wrong.GetValue())
	}
	return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(wrong))
}
