package sqlfile

import (
	"encoding/json"

	"github.com/klauspost/compress/zstd"
)

// Packer compresses JSON in columns. Several goroutines may use it at the same time.
type Packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// mostPacked is the largest size of an unpacked column.
const mostPacked = 64 << 20

// NewPacker returns a packer.
func NewPacker() (*Packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(MostReaders), zstd.WithDecoderMaxMemory(mostPacked))
	return &Packer{encoder, decoder}, err
}

// Pack returns the compressed text for a column.
func (p *Packer) Pack(text []byte) []byte { return p.encoder.EncodeAll(text, nil) }

// Into returns a destination for Scan that unpacks a column. If to is a *json.RawMessage, it gets
// the JSON itself; NULL becomes an empty text. Otherwise the JSON is decoded into to, and NULL does
// not change it.
func (p *Packer) Into(to any) *Packed { return &Packed{p, to} }

// Packed is a destination for a packed column.
type Packed struct {
	by *Packer
	to any
}

// Scan implements [sql.Scanner].
func (p *Packed) Scan(value any) error {
	b, _ := value.([]byte)
	text, err := p.by.decoder.DecodeAll(b, nil)
	if err != nil {
		return ErrDamaged
	}
	if raw, ok := p.to.(*json.RawMessage); ok {
		*raw = text
		return nil
	}
	if value == nil {
		return nil
	}
	if json.Unmarshal(text, p.to) != nil {
		return ErrDamaged
	}
	return nil
}
