package exporter

// A Label is a name and a value. Their memory belongs to the caller.
type Label struct {
	Name, Value []byte
}

// A Sample is a value of a series and its time, in ms since 1970.
type Sample struct {
	Time  int64
	Value float64
}

// A Batch holds the samples of one request or scrape, without the series that
// limpet does not use. It refers to the memory of the labels that the caller
// passed. So use the batch before that memory changes.
type Batch struct {
	// Whole is true if the batch has all samples of its scrapes. A scrape is the set of samples of
	// one server that have the same time.
	Whole bool
	// Unused is the number of samples of series that limpet does not use.
	Unused int

	label   string // name of the label that contains the server's name
	series  []batchSeries
	labels  []Label // labels of info series: series whose information is in their labels (see Field.Info)
	samples []Sample
}

// A Series is one series that limpet uses, with its labels parsed.
type Series struct {
	Field
	Server  []byte // value of the server label
	Key     []byte // device, remote host or controller; empty for the server as a whole
	Dialled bool   // only for a remote host: true if the server opened the connections
	Job     []byte
	Origin  uint64  // hash of the labels that the scraper has added; two scrapers may push through the same sender, but they add different labels
	Labels  []Label // for an info series: the labels that limpet uses
	Samples []Sample
}

// batchSeries is a series, and the positions of its labels and samples.
type batchSeries struct {
	Series
	firstLabel int // index of the first label in Batch.labels; the labels end at the first label of the next series
	first, end int // the samples are Batch.samples[first:end]
}

// Reset clears a batch. The parameter `serverLabel` is the name of the label that contains the
// server's name.
func (b *Batch) Reset(serverLabel string) {
	*b = Batch{label: serverLabel, series: b.series[:0], labels: b.labels[:0], samples: b.samples[:0]}
}

// Len returns the number of samples.
func (b *Batch) Len() int { return len(b.samples) }

// Begin starts a series. It returns false if limpet does not use the series.
// The caller then counts the samples of this series in Unused.
func (b *Batch) Begin(labels []Label) bool {
	s := batchSeries{first: len(b.samples), end: len(b.samples), firstLabel: len(b.labels)}
	known := false
	for i := range labels {
		if string(labels[i].Name) == "__name__" {
			s.Field, known = fields[string(labels[i].Value)]
		}
	}
	if !known || !s.parseLabels(labels, b.label) {
		return false
	}
	for _, l := range labels {
		if s.Info && isInfoLabel(l.Name, s.Service) {
			b.labels = append(b.labels, l)
		}
	}
	b.series = append(b.series, s)
	return true
}

// Each calls f for every series of the batch, with the labels and samples of the series.
func (b *Batch) Each(f func(*Series)) {
	for i := range b.series {
		s, firstLabel := &b.series[i], len(b.labels)
		if i+1 < len(b.series) {
			firstLabel = b.series[i+1].firstLabel
		}
		s.Labels, s.Samples = b.labels[s.firstLabel:firstLabel], b.samples[s.first:s.end]
		f(&s.Series)
	}
}

// isInfoLabel reports whether limpet uses the label with this name in an info series: a series
// whose information is in its labels. The parameter `service` is true for an info series of a
// service, and false for an info series of a server.
func isInfoLabel(name []byte, service bool) bool {
	switch string(name) {
	case "name", "major", "minor", "wwn", "model", "serial", "duplex", "control", "nodename", "host":
		return !service
	case "device_class", "hostname", "device", "devices":
		return service
	}
	return false
}

// Sample adds a sample to the last series for which Begin returned true.
func (b *Batch) Sample(t int64, v float64) {
	b.samples = append(b.samples, Sample{t, v})
	b.series[len(b.series)-1].end = len(b.samples)
}

// parseLabels parses the labels of a series. It returns false if a required
// label is missing.
func (s *Series) parseLabels(labels []Label, serverLabel string) bool {
	if s.Service {
		return s.parseServiceLabels(labels)
	}
	origin, sided := newHash(), false
	var sensor []byte
	for _, l := range labels {
		if string(l.Name) == serverLabel {
			s.Server = l.Value
		}
		switch string(l.Name) {
		case "__name__":
		case "device", "remote":
			s.Key = l.Value
		case "mountpoint", "fstype", "device_error": // labels of a file system; a device may have several file systems
			if s.Kind != ofFileSystem {
				origin.add(l)
			}
		case "chip", "sensor":
			if s.Kind != ofSensor {
				origin.add(l)
			} else if string(l.Name) == "chip" {
				s.Key = l.Value
			} else {
				sensor = l.Value
			}
		case "side":
			sided, s.Dialled = true, string(l.Value) == "dialled"
		case "major", "minor", "path", "model", "serial", "revision", "rotational", "wwn", // labels of a disk
			"name", "uuid", "vg_name", "lv_name", "lv_layer", // labels of a disk of the device mapper
			"address", "broadcast", "duplex", "ifalias", "operstate", "adminstate", // labels of an interface
			"domainname", "machine", "nodename", "release", "sysname", "version", "host", // labels of a server
			"control": // labels of connections
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
	switch s.Kind {
	case ofHost:
		return len(s.Server) > 0
	case ofPeer:
		return len(s.Server) > 0 && len(s.Key) > 0 && sided
	case ofFileSystem:
		s.Key = deviceName(s.Key)
	case ofSensor:
		if s.Key = controllerName(s.Key); string(sensor) != "temp1" { // only the sensor temp1 of a drive has a limit
			return false
		}
	}
	return len(s.Server) > 0 && len(s.Key) > 0
}

// hash is the FNV-1a hash of labels.
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
