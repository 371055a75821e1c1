package raid

import (
	"errors"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/raid/policy"
)

// Options are the options of Open.
type Options struct {
	// Policy decides when reads ask parity.
	Policy policy.Options
	// Degraded allows lost members and members that are not yet rebuilt.
	Degraded bool
	// ReadOnly writes nothing to any member. Even a missing member is not recorded as lost, because
	// it may be present the next time. Reads see the writes that a crash interrupted as far as the
	// present members have their records.
	ReadOnly bool
	// Window is the largest number of stripes that one step of a read, a rebuild or a scrub reads
	// and locks at once. Longer reads are done in several steps.
	Window int `name:"window" least:"1" most:"16384"`
	// Deadline is how long the array waits for a hanging member, in a write or in a read that needs
	// the member. After that, the member is lost, if parity covers the loss. 0: no deadline.
	Deadline time.Duration `name:"deadline"`
	// ChecksumMemory is the number of bytes of checksums that are kept in memory; 1 GiB of members
	// needs 1 MiB. A checksum that is not in memory costs the read of one block.
	ChecksumMemory int64 `name:"checksum-memory"`
	// Masks decides how masked members are probed, and when they count as recovered.
	Masks policy.MaskOptions
	// Report, if not nil, is called with the first failed read and the first damaged chunks of a
	// member, with the loss of a member, with the end of its mask, and when the array stops. Calls
	// do not overlap. Report must not use the array.
	Report func(error)
}

// DefaultOptions returns adaptive reads of up to 1 MiB of each member at once, enough for a disk to
// stream at its full rate. The deadline is the time that Linux waits for a SCSI disk.
func DefaultOptions() Options {
	return Options{Policy: policy.Default(policy.Adaptive), Window: 256, Deadline: 30 * time.Second, ChecksumMemory: 256 << 20, Masks: policy.DefaultMaskOptions()}
}

// Validate returns an error if an option is out of range.
func (o *Options) Validate() error {
	return errors.Join(bounds.Check(*o), o.Policy.Validate(), o.Masks.Validate())
}

// CreateOptions are the options of Create.
type CreateOptions struct {
	// Journal is the number of chunks of each member that one batch may write.
	Journal int
	// Checksums gives each chunk a checksum, which shows which chunk is wrong.
	Checksums bool
	// Force accepts members that hold an array or other data.
	Force bool
}

// DefaultCreateOptions returns checksums, and a journal with which the data begin at 2 MiB of each
// member. That offset suits the alignment of any drive.
func DefaultCreateOptions() CreateOptions {
	return CreateOptions{Journal: 254, Checksums: true}
}
