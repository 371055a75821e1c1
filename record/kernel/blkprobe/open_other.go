//go:build !linux

package blkprobe

import "errors"

func open(Options) (*Probe, error) { return nil, errors.New("requests can be heard of on Linux alone") }
