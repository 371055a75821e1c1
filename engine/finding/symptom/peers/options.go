package peers

import "github.com/limpet-storage/limpet/engine/finding"

// Options are the bounds of what is compared at all, and what tells requests
// from data on an interface.
type Options struct {
	PresentRatio    float64 `json:"present_ratio"`              // more than this part of a window's steps has values
	SmallFrameBytes float64 `json:"small_frame_bytes"`          // mean size up to which a frame is none of a bulk transfer
	FullFrameBytes  float64 `json:"full_frame_bytes" least:"1"` // data that a full frame carries
	RequestBytes    float64 `json:"request_bytes"`              // that a small request may read or write on a disk
}

// DefaultOptions take Ethernet's frames with TCP's timestamps, and the blocks of
// usual file systems.
func DefaultOptions() Options {
	return Options{PresentRatio: 0.5, SmallFrameBytes: 512, FullFrameBytes: 1448, RequestBytes: 4096}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return finding.CheckBounds(*o) }
