package blklat

// An Op is what a request asks of a device. The kernel's other operations are
// not counted: those of drivers and of zones do not move data of users.
type Op uint8

// The operations, as /proc/diskstats tells them apart.
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

// Sizes of requests are counted in classes: up to 4 KiB, 64 KiB, 1 MiB, and
// larger.
const Sizes = 4

// SizeBounds are the largest sizes of the classes but the last, in bytes.
var SizeBounds = [Sizes - 1]uint32{4 << 10, 64 << 10, 1 << 20}

// A Sample has the requests that ended between two samples of a recorder.
type Sample struct {
	// Run tells recorders apart: it differs after a restart, and sums begin
	// anew.
	Run uint64
	// Sequence counts samples from one on. A sample whose number was read
	// already is the same one, at the end of one file and the beginning of the
	// next. Where a number is left out the histograms of a sample are lost; the
	// sums of the next have its requests.
	Sequence uint64
	// Missed is how many requests of this run could not be counted, for want of
	// space in the kernel.
	Missed uint64
	Items  []Item
}

// An Item is what one device did of one operation. Devices that did nothing
// since the sample before have none.
type Item struct {
	Major, Minor uint32
	Op           Op
	// Requests, DeviceNs and QueueNs are sums since the run began.
	Requests, DeviceNs, QueueNs uint64
	// What follows is since the sample before.
	MostInFlight uint32 // requests of any operation that the device had at a time
	Bytes        uint64
	Errors       uint64
	Requeues     uint64 // attempts that were put back, to be made again
	Sizes        [Sizes]uint64
	Device       Histogram
	Queue        Histogram
}
