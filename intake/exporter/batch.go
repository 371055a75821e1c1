package exporter

// A Label is a name and a value, in memory of the caller's.
type Label struct {
	Name, Value []byte
}

// A Sample is the value of a series at a time, in ms since 1970.
type Sample struct {
	Time  int64
	Value float64
}

// A Batch is the samples of one request or scrape that are used. It refers to
// the memory of the labels that it was given: use it before that is.
type Batch struct {
	// Whole says that the batch has all samples of its scrapes: no more will
	// come.
	Whole bool
	// Unused counts samples of series that are not used.
	Unused int

	label   string // that names the machine
	series  []series
	labels  []Label // of series that tell by them
	samples []Sample
}

// series is one, taken apart.
type series struct {
	field
	server     []byte
	key        []byte // device or remote host; none of the machine as a whole
	dialled    bool
	origin     uint64 // hash of the labels that the source has added
	job        []byte
	told       [2]int // its labels, where it tells by them
	first, end int    // its samples
}

// Reset makes a batch empty, for machines that a label names.
func (b *Batch) Reset(serverLabel string) {
	*b = Batch{label: serverLabel, series: b.series[:0], labels: b.labels[:0], samples: b.samples[:0]}
}

// Len is how many samples it has.
func (b *Batch) Len() int { return len(b.samples) }

// Series begins a series. It reports false where it is not used; its samples
// are only counted then, in Unused.
func (b *Batch) Series(labels []Label) bool {
	s := series{first: len(b.samples), end: len(b.samples)}
	known := false
	for i := range labels {
		if string(labels[i].Name) == "__name__" {
			s.field, known = fields[string(labels[i].Value)]
		}
	}
	if !known || !s.take(labels, b.label) {
		return false
	}
	if s.info {
		s.told[0] = len(b.labels)
		for _, l := range labels {
			if telling(l.Name) {
				b.labels = append(b.labels, l)
			}
		}
		s.told[1] = len(b.labels)
	}
	b.series = append(b.series, s)
	return true
}

// telling says whether a label tells something of a thing.
func telling(name []byte) bool {
	switch string(name) {
	case "major", "minor", "wwn", "model", "serial", "duplex", "control", "nodename", "host":
		return true
	}
	return false
}

// Sample adds a sample to the series that was begun.
func (b *Batch) Sample(t int64, v float64) {
	b.samples = append(b.samples, Sample{t, v})
	b.series[len(b.series)-1].end = len(b.samples)
}

// take takes the labels apart. It reports false where one is missing.
func (s *series) take(labels []Label, serverLabel string) bool {
	origin, sided := newHash(), false
	for _, l := range labels {
		if string(l.Name) == serverLabel {
			s.server = l.Value
		}
		switch string(l.Name) {
		case "__name__":
		case "device", "remote":
			s.key = l.Value
		case "side":
			sided, s.dialled = true, string(l.Value) == "dialled"
		case "major", "minor", "path", "model", "serial", "revision", "rotational", "wwn", // of a disk
			"address", "broadcast", "duplex", "ifalias", "operstate", "adminstate", // of an interface
			"domainname", "machine", "nodename", "release", "sysname", "version", "host", // of a machine
			"control": // of connections
			if !s.info {
				origin.add(l)
			}
		case "job":
			s.job = l.Value
			origin.add(l)
		default:
			origin.add(l)
		}
	}
	s.origin = uint64(origin)
	return len(s.server) > 0 && (s.kind == ofHost || len(s.key) > 0) && (s.kind != ofPeer || sided)
}

// hash is FNV-1a of labels.
type hash uint64

func newHash() hash { return 14695981039346656037 }

func (h *hash) add(l Label) {
	for _, part := range [2][]byte{l.Name, l.Value} {
		for _, c := range part {
			*h = (*h ^ hash(c)) * 1099511628211
		}
		*h = (*h ^ 0xff) * 1099511628211
	}
}
