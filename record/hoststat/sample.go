package hoststat

// A Sample is what a machine waited for at one moment. Counters do not fall until the
// machine is started again.
type Sample struct {
	LateMicros uint64 // how long after its deadline the sample was taken
	// Pressure has how long tasks have waited for each resource (/proc/pressure).
	Pressure [NumResources]Pressure
	// RunDelayNs is how long tasks have waited for a processor since the machine was
	// started, summed over all processors; 0: the kernel does not count it.
	RunDelayNs uint64
	Tasks      Tasks
	Accepted   Queues // connections that this machine accepted
	Dialled    Queues // connections that this machine opened
	Completed  uint64 // requests that the recorded disks completed since the sample before, all together
	InFlight   []InFlight
	// FileSystems and Drives are empty in most samples: they are written every
	// few seconds.
	FileSystems []FileSystem
	Drives      []Drive
}

// A Resource is a resource that tasks wait for.
type Resource uint8

// The resources, in the order in which the format has them.
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
	Waits   []Wait // tasks in uninterruptible sleep, the most first
}

// A Wait is a function of the kernel, and how many tasks sleep in it.
type Wait struct {
	Function string
	Tasks    uint64
}

// Queues are the receive queues and send queues of some connections.
type Queues struct {
	Sockets     uint64 // established connections
	Unread      uint64 // bytes that have arrived and that no process has read
	Waiting     uint64 // sockets with unread bytes
	Stuck       uint64 // sockets with bytes at the sample before, from which nothing was read since
	OldestMs    uint64 // longest time since the last segment arrived at a socket with unread bytes
	Read        uint64 // bytes that processes read since the sample before
	Unsent      uint64 // bytes that the remote hosts have not acknowledged
	Closed      uint64 // sockets whose own receive window is closed
	ClosedThere uint64 // sockets whose remote host has closed its window
	Taken       uint64 // bytes that the remote hosts acknowledged since the sample before
}

// InFlight is a block device with requests under way.
type InFlight struct {
	Major, Minor uint32
	Requests     uint64
	// Still is for how many samples in a row the device has had requests under way and has
	// completed none.
	Still uint64
}

// A FileSystem is a mounted file system on a recorded block device.
type FileSystem struct {
	Major, Minor uint32 // of the recorded device that holds it
	Bytes        uint64
	FreeBytes    uint64 // for processes that are not root
	Files        uint64 // 0: the file system makes inodes as it needs them
	FreeFiles    uint64
	Mount        string // where it is mounted
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
