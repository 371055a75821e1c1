package remotewrite

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A decoder decodes requests. It reuses its memory for the next request.
//
// Version 1.0 repeats the names and values of labels in each series:
//
//	message WriteRequest { repeated TimeSeries timeseries = 1; }
//	message TimeSeries   { repeated Label labels = 1; repeated Sample samples = 2; … }
//	message Label        { string name = 1; string value = 2; }
//	message Sample       { double value = 1; int64 timestamp = 2; }
//
// Version 2.0 contains each string once, and series refer to a string by its
// index:
//
//	message Request    { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
//	message TimeSeries { repeated uint32 labels_refs = 1; repeated Sample samples = 2;
//	                     repeated Histogram histograms = 3; repeated Exemplar exemplars = 4; … }
//
// The decoder ignores all other fields.
type decoder struct {
	o       *Options
	batch   exporter.Batch
	labels  []exporter.Label
	refs    []uint32 // indexes of the symbols of the current series
	symbols [][]byte // strings of a request of version 2.0
	samples [][]byte // samples of the current series, encoded
	series  int      // number of series so far
	counts  counts
}

// counts has the numbers of samples, histograms and exemplars of a request.
type counts struct{ samples, histograms, exemplars int }

func (d *decoder) reset(serverLabel string) {
	d.batch.Reset(serverLabel)
	clear(d.symbols)
	d.symbols, d.series, d.counts = d.symbols[:0], 0, counts{}
}

// errTruncated is the error for a request that is not valid protobuf.
var errTruncated = errors.New("the request is not valid protobuf of the version in its header: check that no program between sender and receiver changes the request")

// forEachField calls f for every field of a protobuf message.
func forEachField(b []byte, f func(n protowire.Number, t protowire.Type, value []byte) error) error {
	for len(b) > 0 {
		n, t, size := protowire.ConsumeTag(b)
		if size < 0 {
			return errTruncated
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(n, t, b); size < 0 {
			return errTruncated
		}
		if err := f(n, t, b[:size]); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}

// content returns the bytes of a field of a protobuf message. It returns an error if the field is a
// number.
func content(t protowire.Type, value []byte) ([]byte, error) {
	if t != protowire.BytesType {
		return nil, errTruncated
	}
	b, _ := protowire.ConsumeBytes(value)
	return b, nil
}

func (d *decoder) version1(b []byte) error {
	return forEachField(b, func(n protowire.Number, t protowire.Type, value []byte) error {
		if n != 1 {
			return nil
		}
		series, err := content(t, value)
		if err != nil {
			return err
		}
		return d.take(series, d.label)
	})
}

// version2 decodes a request of version 2.0. It decodes the strings (symbols) first, since they may
// be anywhere in the message.
func (d *decoder) version2(b []byte) error {
	if err := forEachField(b, d.symbol); err != nil {
		return err
	}
	if len(d.symbols) > 0 && len(d.symbols[0]) > 0 {
		return errors.New("the first symbol of the request is not empty, but version 2.0 requires an empty first symbol: check that the sender uses version 2.0")
	}
	return forEachField(b, func(n protowire.Number, t protowire.Type, value []byte) error {
		const timeseries = 5
		if n != timeseries {
			return nil
		}
		series, err := content(t, value)
		if err != nil {
			return err
		}
		return d.take(series, d.references)
	})
}

func (d *decoder) symbol(n protowire.Number, t protowire.Type, value []byte) error {
	const symbols = 4
	if n != symbols {
		return nil
	}
	s, err := content(t, value)
	if err != nil {
		return err
	}
	const symbolsOfSeries = 4 // largest number of symbols for each series; series share most symbols, so 4 are enough
	if len(d.symbols) >= symbolsOfSeries*d.o.MaxSeries {
		return fmt.Errorf("the request has more than %d symbols: set a smaller max_samples_per_send at the sender", len(d.symbols))
	}
	d.symbols = append(d.symbols, s)
	return nil
}

// take decodes a series of version 1.0 or 2.0. The versions encode labels in
// different ways, so the caller passes the function that decodes them.
func (d *decoder) take(series []byte, label func(protowire.Type, []byte) error) error {
	if d.series++; d.series > d.o.MaxSeries {
		return fmt.Errorf("the request has more than %d series: set a smaller max_samples_per_send at the sender", d.o.MaxSeries)
	}
	d.labels, d.refs, d.samples = d.labels[:0], d.refs[:0], d.samples[:0]
	err := forEachField(series, func(n protowire.Number, t protowire.Type, value []byte) error {
		const labels, samples, histograms, exemplars = 1, 2, 3, 4 // numbers of fields; the numbers of histograms and exemplars are the numbers in version 2.0
		switch n {
		case labels:
			return label(t, value)
		case samples:
			return d.hold(t, value)
		case histograms:
			d.counts.histograms++
		case exemplars:
			d.counts.exemplars++
		}
		return nil
	})
	if err == nil {
		err = d.resolve()
	}
	if err != nil {
		return err
	}
	return d.addSeries()
}

// hold keeps a sample until the labels of its series are known.
func (d *decoder) hold(t protowire.Type, value []byte) error {
	if d.counts.samples++; d.counts.samples > d.o.MaxSamples {
		return fmt.Errorf("the request has more than %d samples: set a smaller max_samples_per_send at the sender", d.o.MaxSamples)
	}
	s, err := content(t, value)
	d.samples = append(d.samples, s)
	return err
}

// addSeries adds the series to the batch if limpet uses it.
func (d *decoder) addSeries() error {
	if !d.batch.Begin(d.labels) {
		d.batch.Unused += len(d.samples)
		return nil
	}
	for _, raw := range d.samples {
		s, err := sample(raw)
		if err != nil {
			return err
		}
		d.batch.Sample(s.Time, s.Value)
	}
	return nil
}

func (d *decoder) label(t protowire.Type, value []byte) error {
	b, err := content(t, value)
	if err != nil {
		return err
	}
	var l exporter.Label
	for len(b) > 0 { // same loop as in forEachField; without a closure it is faster, and there are many labels
		n, t, size := protowire.ConsumeTag(b)
		if size < 0 {
			return errTruncated
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(n, t, b); size < 0 {
			return errTruncated
		}
		if n <= 2 {
			text, err := content(t, b[:size])
			if err != nil {
				return err
			}
			if n == 1 {
				l.Name = text
			} else {
				l.Value = text
			}
		}
		b = b[size:]
	}
	return d.add(l)
}

// add adds a label. It returns an error if the label exceeds a limit.
func (d *decoder) add(l exporter.Label) error {
	if len(d.labels) >= d.o.MaxLabels {
		return fmt.Errorf("a series has more than %d labels: drop labels at the sender (write_relabel_configs)", d.o.MaxLabels)
	}
	if len(l.Name)+len(l.Value) > d.o.MaxLabelBytes {
		return fmt.Errorf("a label has more than %d bytes: drop this label at the sender (write_relabel_configs)", d.o.MaxLabelBytes)
	}
	d.labels = append(d.labels, l)
	return nil
}

// references decodes the labels of version 2.0. Each label is a pair of symbol
// indexes, for its name and its value. A sender writes all indexes into one
// field, or each index into its own field.
func (d *decoder) references(t protowire.Type, value []byte) error {
	list := value
	if t == protowire.BytesType {
		list, _ = protowire.ConsumeBytes(value)
	} else if t != protowire.VarintType {
		return errTruncated
	}
	for len(list) > 0 && len(d.refs) <= 2*d.o.MaxLabels+1 { // the rest of a longer list is not needed, because add returns an error for more than MaxLabels labels
		ref, size := protowire.ConsumeVarint(list)
		if size < 0 || ref >= uint64(len(d.symbols)) {
			return errors.New("a label refers to a symbol that the request does not have: check that no program between sender and receiver changes the request")
		}
		d.refs = append(d.refs, uint32(ref))
		list = list[size:]
	}
	return nil
}

// resolve makes labels from the pairs of symbol indexes in d.refs.
func (d *decoder) resolve() error {
	if len(d.refs)%2 != 0 {
		return errors.New("a label has a name and no value: check that the sender uses version 2.0")
	}
	for i := 0; i < len(d.refs); i += 2 {
		if err := d.add(exporter.Label{Name: d.symbols[d.refs[i]], Value: d.symbols[d.refs[i+1]]}); err != nil {
			return err
		}
	}
	return nil
}

// sample decodes a sample of version 1.0 or 2.0.
func sample(b []byte) (s exporter.Sample, err error) {
	for len(b) > 0 {
		n, t, size := protowire.ConsumeTag(b)
		if size < 0 {
			return s, errTruncated
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(n, t, b); size < 0 {
			return s, errTruncated
		}
		switch {
		case n == 1 && t == protowire.Fixed64Type:
			bits, _ := protowire.ConsumeFixed64(b)
			s.Value = math.Float64frombits(bits)
		case n == 2 && t == protowire.VarintType:
			ms, _ := protowire.ConsumeVarint(b)
			s.Time = int64(ms)
		case n <= 2:
			return s, errTruncated
		}
		b = b[size:]
	}
	return s, nil
}
