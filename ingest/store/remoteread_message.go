package store

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// fields calls f for every field of a protobuf message. If the field is a number, f gets it as the
// last argument. If the field is bytes, f gets them as the second argument.
func fields(message []byte, f func(field protowire.Number, b []byte, v uint64) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		var b []byte
		var v uint64
		switch kind {
		case protowire.BytesType:
			b, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			v, n = protowire.ConsumeFixed64(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := f(field, b, v); err != nil {
			return err
		}
	}
	return nil
}

// remoteReadParser decodes the answers of a store. For each series it uses the same memory again.
type remoteReadParser struct {
	request Request
	add     SeriesFunc
	labels  []exporter.Label
	samples []exporter.Sample
}

// message decodes a ChunkedReadResponse or a QueryResult. Both types of message have the
// series in field 1.
func (p *remoteReadParser) message(m []byte) error {
	return fields(m, func(field protowire.Number, b []byte, _ uint64) error {
		if field != 1 {
			return nil
		}
		return p.series(b)
	})
}

// series decodes a series. Field 1 has the labels, and field 2 has chunks or samples.
func (p *remoteReadParser) series(m []byte) error {
	p.labels, p.samples = p.labels[:0], p.samples[:0]
	err := fields(m, func(field protowire.Number, b []byte, _ uint64) error {
		switch field {
		case 1:
			return p.label(b)
		case 2:
			return p.piece(b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if within := p.request.Within(p.samples); len(within) > 0 {
		return p.add(p.labels, within)
	}
	return nil
}

func (p *remoteReadParser) label(m []byte) error {
	var l exporter.Label
	err := fields(m, func(field protowire.Number, b []byte, _ uint64) error {
		switch field {
		case 1:
			l.Name = b
		case 2:
			l.Value = b
		}
		return nil
	})
	p.labels = append(p.labels, l)
	return err
}

// kindXOR is the type of chunks of numbers. Chunks of other types have histograms, and
// are not used.
const kindXOR = 1

// piece decodes a chunk or a sample. A chunk has its type in field 3 and its data in
// field 4. A sample has its value in field 1 and its time in field 2.
func (p *remoteReadParser) piece(m []byte) error {
	var data []byte
	var value, at, kind uint64
	err := fields(m, func(field protowire.Number, b []byte, v uint64) error {
		switch field {
		case 1:
			value = v
		case 2:
			at = v
		case 3:
			kind = v
		case 4:
			data = b
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case kind == kindXOR:
		p.samples, err = appendChunk(p.samples, data)
		return err
	case data == nil:
		p.samples = append(p.samples, exporter.Sample{Time: int64(at), Value: math.Float64frombits(value)})
	}
	return nil
}
