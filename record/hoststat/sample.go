package hoststat

// A Sample holds what a machine waited for at one moment. Counters never decrease until the machine
// is booted.
type Sample struct {
	LateMicros uint64 // time from the deadline of the sample to the sample
	// Pressure holds how long tasks have waited for each resource (/proc/pressure).
	Pressure [NumResources]Pressure
	// RunDelayNs is how long tasks have waited for a processor since the machine was booted, summed
	// over all processors; 0: the kernel does not count it.
	RunDelayNs uint64
	Tasks      Tasks
	Accepted   Queues // connections that this machine accepted
	Dialled    Queues // connections that this machine opened
	Completed  uint64 // number of requests that all recorded disks completed since the previous sample
	InFlight   []InFlight
	// FileSystems and Drives are empty in most samples, because they are written only every few
	// seconds.
	FileSystems []FileSystem
	Drives      []Drive
}

// A Resource is a resource that tasks wait for.
type Resource uint8

// The resources, in the order of the format.
const (
	CPU Resource = iota
	IO
	Memory
	NumResources
)

// Pressure is how long tasks have waited for a resource, in µs.
type Pressure struct {
	Some uint64 // at least one task waited
	Full uint64 // all tasks that had work waited
}

// Tasks are the tasks that do not run and do not wait for an event either.
type Tasks struct {
	Blocked uint64 // tasks that wait for block I/O, by /proc/stat
	// Looked is true if the recorder read the state of each task. The recorder does this only while
	// something stands still, because it takes much CPU time.
	Looked  bool
	Stopped uint64 // tasks that a signal or a debugger has stopped
	Waits   []Wait // tasks in uninterruptible sleep, most tasks first
}

// A Wait is a function of the kernel, and the number of tasks that sleep in it.
type Wait struct {
	Function string
	Tasks    uint64
}

// Queues are the receive queues and send queues of some connections.
type Queues struct {
	Sockets uint64 // established connections
	Unread  uint64 // bytes that have arrived and that no process has read
	Waiting uint64 // sockets with unread bytes
	Stuck   uint64 // sockets with unread bytes at the previous sample, from which nothing was read since
	// OldestMs is the longest time since the last segment arrived at a socket with unread bytes. For
	// accepted connections, it is at most the time since data arrived that were read at the same
	// local port: that long ago, a process still read there.
	OldestMs    uint64
	Read        uint64 // bytes that processes read since the previous sample
	Unsent      uint64 // bytes that the remote hosts have not acknowledged
	Closed      uint64 // sockets whose own receive window is closed
	ClosedThere uint64 // sockets whose remote host has closed its window
	Taken       uint64 // bytes that the remote hosts acknowledged since the previous sample
}

// InFlight is a block device with requests in flight.
type InFlight struct {
	Major, Minor uint32
	Requests     uint64
	// Still is the number of successive samples in which the device had requests in flight and
	// completed none.
	Still uint64
}

// A FileSystem is a mounted file system on a recorded block device.
type FileSystem struct {
	Major, Minor uint32 // number of the recorded device that holds the file system
	Bytes        uint64
	FreeBytes    uint64 // free space for processes that are not root
	Files        uint64 // number of inodes; 0: the file system creates inodes when it needs them
	FreeFiles    uint64
	Mount        string // path of the mount
}

// A Drive is a drive that measures its temperature.
type Drive struct {
	Major, Minor uint32
	MilliCelsius int64
	Limit        int64 // temperature from which on the drive protects itself, in m°C; 0: unknown
	Alarm        bool  // the drive reports a critical warning
}

// Reset empties a sample and keeps its memory.
func (s *Sample) Reset() {
	*s = Sample{Tasks: Tasks{Waits: s.Tasks.Waits[:0]}, InFlight: s.InFlight[:0], FileSystems: s.FileSystems[:0], Drives: s.Drives[:0]}
}
