package blklat

// An Op is the operation of a request. Other operations of the kernel are not counted: operations
// of drivers and zones do not move data of users.
type Op uint8

// The operations that /proc/diskstats distinguishes.
const (
	Read Op = iota
	Write
	Flush
	Discard

	Ops = 4
)

func (o Op) String() string {
	return [...]string{"read", "write", "flush", "discard"}[o]
}

// Sizes is the number of classes of request sizes: up to 4 KiB, 64 KiB, 1 MiB, and larger.
const Sizes = 4

// SizeBounds are the largest sizes of all classes but the last, in bytes.
var SizeBounds = [Sizes - 1]uint32{4 << 10, 64 << 10, 1 << 20}

// A Sample holds the requests that ended between two samples of a recorder.
type Sample struct {
	// Run identifies a run of the recorder. After a restart it differs, and sums begin at 0.
	Run uint64
	// Sequence counts samples from 1 on. Two samples with the same number are the same sample, at
	// the end of one file and at the beginning of the next. If a number is missing, the histograms
	// of that sample are lost, but the sums of the next sample include its requests.
	Sequence uint64
	// Missed is the number of requests of this run that could not be counted, because a table in
	// the kernel was full.
	Missed uint64
	Items  []Item
}

// An Item holds the requests of one operation on one device. A device without requests since the
// previous sample has no item.
type Item struct {
	Major, Minor uint32
	Op           Op
	// Requests, DeviceNs and QueueNs are sums since the run began.
	Requests, DeviceNs, QueueNs uint64
	// The following fields count from the previous sample.
	MostInFlight uint32 // largest number of requests of any operation in flight at a time
	Bytes        uint64
	Errors       uint64
	Requeues     uint64 // number of requests that were put back, to be issued again
	Sizes        [Sizes]uint64
	Device       Histogram
	Queue        Histogram
}
