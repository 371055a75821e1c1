package tables

import (
	"slices"
	"sync/atomic"

	"github.com/limpet-storage/limpet/topology"
)

// A keptFile has all samples of a file. A Source keeps them when it reads the file for the first
// time. It then makes rows from these samples, and does not read the file a second time.
type keptFile struct {
	samples
	listed []topology.Listed // components of the file, by their numbers in the samples
}

// drop releases the memory of the samples, and adds it to `room`, the memory that is left for all
// files.
func (k *keptFile) drop(room *atomic.Int64) {
	if k.isKept() {
		room.Add(k.bytes())
	}
	*k = keptFile{}
}

// isKept reports whether the samples of the file are in memory.
func (k *keptFile) isKept() bool { return k.Len() > 0 }

// A keeper keeps the samples of a file when the file is read for the first time. A file is read in
// blocks of rows. If there is not enough memory for all samples, the keeper drops the samples. From
// then on it holds only the samples of the last block.
type keeper struct {
	samples
	room  *atomic.Int64 // bytes of memory that are left for all files
	taken int64         // bytes that this file has taken
	full  bool          // true if the memory was not enough for all samples of this file
}

// begin prepares the keeper for the next block. If there is not enough memory, begin drops the
// samples of earlier blocks. begin returns the index of the first sample of the next block.
func (k *keeper) begin() int {
	if more := k.bytes() - k.taken; !k.full && k.room.Add(-more) >= 0 {
		k.taken += more
		return k.Len()
	} else if !k.full {
		k.full = true
		k.room.Add(more + k.taken)
		k.samples = samples{metrics: k.metrics}
	}
	k.clear()
	return 0
}

// end returns the kept samples without their unused memory. If the samples were dropped, the result
// is empty. Call end after the last block.
func (k *keeper) end(listed []topology.Listed) keptFile {
	k.begin()
	if k.full {
		return keptFile{}
	}
	return keptFile{samples{metrics: k.metrics, times: slices.Clone(k.times), components: slices.Clone(k.components), values: slices.Clone(k.values)}, listed}
}

// bytes returns the memory that the samples need, in bytes.
func (s *samples) bytes() int64 { return int64(s.Len()) * int64(8+4+8*s.metrics) }
