package sqlfile

import (
	"encoding/json"

	"github.com/klauspost/compress/zstd"
)

// Packer makes JSON in columns small. It may be used by many goroutines at once.
type Packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// mostPacked bounds what one column becomes in memory.
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

// Pack is what is written.
func (p *Packer) Pack(text []byte) []byte { return p.encoder.EncodeAll(text, nil) }

// Into reads a column that was packed: it is handed to Scan. What it reads to is a pointer to
// raw JSON, or to what the JSON is decoded into. NULL leaves that as it is.
func (p *Packer) Into(to any) *Packed { return &Packed{p, to} }

// Packed is a column that was packed.
type Packed struct {
	by *Packer
	to any
}

// Scan implements sql.Scanner.
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
