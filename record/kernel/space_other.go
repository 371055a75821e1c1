//go:build !linux

package kernel

import (
	"errors"

	"github.com/limpet-storage/limpet/record/hoststat"
)

func measure(string, *hoststat.FileSystem) error { return errors.ErrUnsupported }
