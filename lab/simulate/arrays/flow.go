package arrays

// A Flow is a flow of requests of one kind to each LUN, from files that are striped over all LUNs.
type Flow struct {
	PerSecond float64
	KiB       float64 // size of a request
}

// A Stream is a flow with its direction.
type Stream struct {
	Flow
	Write bool
}

// Share is the share of a job's requests that a LUN of an upgrade set gets. LUNs of sets without a
// Share get all requests of the job.
type Share struct {
	Reads, Writes float64
}

// Of returns the part of the stream that a LUN with this share gets.
func (f Stream) Of(s Share) Stream {
	if f.Write {
		f.PerSecond *= s.Writes
	} else {
		f.PerSecond *= s.Reads
	}
	return f
}

// demand is the load that clients put on a LUN in an interval. Streams are the streams without
// stops; Open is the share of the interval in which clients are not stopped.
type demand struct {
	Streams []Stream
	Open    float64
}
