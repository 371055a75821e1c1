package arrays

// A Flow is requests of one kind, as each LUN gets them of a file that is
// striped over all.
type Flow struct {
	PerSecond float64
	KiB       float64 // of a request
}

// A Stream is a flow with its direction.
type Stream struct {
	Flow
	Write bool
}

// Share is how much of a job's requests a LUN of an upgrade set gets. LUNs of
// sets without one get the whole.
type Share struct {
	Reads, Writes float64
}

// Of is the part of the stream that a LUN with this share gets.
func (f Stream) Of(s Share) Stream {
	if f.Write {
		f.PerSecond *= s.Writes
	} else {
		f.PerSecond *= s.Reads
	}
	return f
}

// demand is what clients ask of a LUN in an interval: streams as they would
// be, and which part of the interval they come in.
type demand struct {
	Streams []Stream
	Open    float64
}
