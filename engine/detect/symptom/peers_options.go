package symptom

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// PeersOptions are the bounds of what is compared at all, and what tells requests
// from data on an interface.
type PeersOptions struct {
	PresentRatio    float64 `json:"present_ratio"`              // more than this part of a window's steps has values
	SmallFrameBytes float64 `json:"small_frame_bytes"`          // mean size up to which a frame is none of a bulk transfer
	FullFrameBytes  float64 `json:"full_frame_bytes" least:"1"` // data that a full frame carries
	RequestBytes    float64 `json:"request_bytes"`              // that a small request may read or write on a disk
}

// defaultPeersOptions take Ethernet's frames with TCP's timestamps, and the blocks of
// usual file systems.
func defaultPeersOptions() PeersOptions {
	return PeersOptions{PresentRatio: 0.5, SmallFrameBytes: 512, FullFrameBytes: 1448, RequestBytes: 4096}
}

// Validate reports every setting that cannot work.
func (o *PeersOptions) Validate() error { return bounds.Check(*o) }
