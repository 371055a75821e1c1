//go:build !linux

package blkprobe

import "errors"

func open(Options) (*Probe, error) {
	return nil, errors.New("latencies of requests can be measured only on Linux")
}
