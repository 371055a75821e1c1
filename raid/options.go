package raid

import (
	"errors"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/raid/policy"
)

// Options are how an array is opened.
type Options struct {
	// Policy is when reads ask parity.
	Policy policy.Options
	// Degraded opens an array with lost members, or one that is being rebuilt.
	Degraded bool
	// ReadOnly writes nothing to any member, not even that one is missing: it
	// may be there the next time. What a crash cut off is seen as the members
	// that are there have it.
	ReadOnly bool
	// Window is how many stripes a request reads at once. Longer ones are read
	// in steps; rebuilding and scrubbing hold so many stripes at a time.
	Window int `name:"window" least:"1" most:"16384"`
	// Deadline is how long a member is waited for that hangs, in a write or in
	// a read that cannot do without it. Then it is lost, as long as parity
	// covers it. 0: for ever.
	Deadline time.Duration `name:"deadline"`
	// ChecksumMemory is how many bytes of checksums are kept in memory. Those of
	// 1 GiB of members are 1 MiB; others cost a read of a block.
	ChecksumMemory int64 `name:"checksum-memory"`
	// Masks are how masked members are probed, and when they count as recovered.
	Masks policy.MaskOptions
	// Report, if not nil, is told of the first read that a member fails, of
	// members that are lost, and of an array that stops. It is called where
	// that happens, one call at a time, and must not use the array.
	Report func(error)
}

// DefaultOptions read adaptively, and up to 1 MiB of each member at once: a
// disk streams at its full rate then. They wait for as long as Linux waits for
// a SCSI disk.
func DefaultOptions() Options {
	return Options{Policy: policy.Default(policy.Adaptive), Window: 256, Deadline: 30 * time.Second, ChecksumMemory: 256 << 20, Masks: policy.DefaultMaskOptions()}
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	return errors.Join(bounds.Check(*o), o.Policy.Validate(), o.Masks.Validate())
}

// CreateOptions are how an array is made.
type CreateOptions struct {
	// Journal is how many chunks of each member one batch may write.
	Journal int
	// Checksums has each chunk a checksum, which tells what is wrong.
	Checksums bool
	// Force takes members that hold an array or something else.
	Force bool
}

// DefaultCreateOptions have data begin at 2 MiB of each member, which suits
// the alignment of any drive.
func DefaultCreateOptions() CreateOptions {
	return CreateOptions{Journal: 254, Checksums: true}
}
