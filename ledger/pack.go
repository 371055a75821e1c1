package ledger

import (
	"encoding/json"

	"github.com/klauspost/compress/zstd"
)

// packer makes documents small. It may be used by many goroutines at once.
type packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// mostDocument bounds a document in memory: that of an incident on all of ten
// thousand components has five megabytes.
const mostDocument = 64 << 20

func newPacker() (*packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(mostReaders), zstd.WithDecoderMaxMemory(mostDocument))
	return &packer{encoder, decoder}, err
}

func (p *packer) pack(text []byte) []byte { return p.encoder.EncodeAll(text, nil) }

// into reads a column that was packed.
func (p *packer) into(to *json.RawMessage) packed { return packed{p, to} }

// packed is a column that was packed.
type packed struct {
	by *packer
	to *json.RawMessage
}

// Scan implements sql.Scanner.
func (p packed) Scan(value any) error {
	b, _ := value.([]byte)
	text, err := p.by.decoder.DecodeAll(b, nil)
	if err != nil {
		return ErrDamaged
	}
	*p.to = text
	return nil
}
