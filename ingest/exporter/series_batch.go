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
	series  []place
	labels  []Label // of series that tell by them
	samples []Sample
}

// A Series is one that is used, taken apart.
type Series struct {
	Field
	Server  []byte // the value of the label that names the machine
	Key     []byte // device or remote host; none of the machine as a whole
	Dialled bool   // of a remote host: the machine opened the connections
	Job     []byte
	Origin  uint64  // hash of the labels that whoever scraped it has added
	Labels  []Label // those that tell something, of series that tell by them
	Samples []Sample
}

// place is a series, and where its labels and samples stand.
type place struct {
	Series
	told       int // the first of its labels; the next series' first ends them
	first, end int // its samples
}

// Reset makes a batch empty, for machines that a label names.
func (b *Batch) Reset(serverLabel string) {
	*b = Batch{label: serverLabel, series: b.series[:0], labels: b.labels[:0], samples: b.samples[:0]}
}

// Len is how many samples it has.
func (b *Batch) Len() int { return len(b.samples) }

// Begin begins a series. It reports false where it is not used; its samples
// are only counted then, in Unused.
func (b *Batch) Begin(labels []Label) bool {
	s := place{first: len(b.samples), end: len(b.samples), told: len(b.labels)}
	known := false
	for i := range labels {
		if string(labels[i].Name) == "__name__" {
			s.Field, known = fields[string(labels[i].Value)]
		}
	}
	if !known || !s.take(labels, b.label) {
		return false
	}
	for _, l := range labels {
		if s.Info && telling(l.Name) {
			b.labels = append(b.labels, l)
		}
	}
	b.series = append(b.series, s)
	return true
}

// Each calls f for every series of the batch.
func (b *Batch) Each(f func(*Series)) {
	for i := range b.series {
		s, told := &b.series[i], len(b.labels)
		if i+1 < len(b.series) {
			told = b.series[i+1].told
		}
		s.Labels, s.Samples = b.labels[s.told:told], b.samples[s.first:s.end]
		f(&s.Series)
	}
}

// telling says whether a label tells something of a thing.
func telling(name []byte) bool {
	switch string(name) {
	case "major", "minor", "wwn", "model", "serial", "duplex", "control", "nodename", "host":
		return true
	}
	return false
}

// Sample adds a sample to the series that was begun last.
func (b *Batch) Sample(t int64, v float64) {
	b.samples = append(b.samples, Sample{t, v})
	b.series[len(b.series)-1].end = len(b.samples)
}

// take takes the labels apart. It reports false where one is missing.
func (s *Series) take(labels []Label, serverLabel string) bool {
	origin, sided := newHash(), false
	for _, l := range labels {
		if string(l.Name) == serverLabel {
			s.Server = l.Value
		}
		switch string(l.Name) {
		case "__name__":
		case "device", "remote":
			s.Key = l.Value
		case "side":
			sided, s.Dialled = true, string(l.Value) == "dialled"
		case "major", "minor", "path", "model", "serial", "revision", "rotational", "wwn", // of a disk
			"address", "broadcast", "duplex", "ifalias", "operstate", "adminstate", // of an interface
			"domainname", "machine", "nodename", "release", "sysname", "version", "host", // of a machine
			"control": // of connections
			if !s.Info {
				origin.add(l)
			}
		case "job":
			s.Job = l.Value
			origin.add(l)
		default:
			origin.add(l)
		}
	}
	s.Origin = uint64(origin)
	return len(s.Server) > 0 && (s.Kind == ofHost || len(s.Key) > 0) && (s.Kind != ofPeer || sided)
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
