package formtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/state"
)

// bytesInLine is the number of bytes in a line.
const bytesInLine = 16

// ByteLines returns the form of bytes that are written without a [state.Codec]: the bytes of an
// example with fixed values. by is the name of the function that writes them.
func ByteLines(by string, b []byte) []state.Field {
	lines := []state.Field{{Form: fmt.Sprintf("%s, %d bytes", by, len(b)), By: by}}
	for part := range slices.Chunk(b, bytesInLine) {
		lines = append(lines, state.Field{Form: hex.EncodeToString(part), By: by})
	}
	return lines
}

// WithVersion returns a saved state as another version of limpet would have written it: with another
// version and a right checksum.
func WithVersion(saved []byte, version uint32) []byte {
	end := len(saved) - sha256.Size
	at := bytes.IndexByte(saved, '\n') + 1 // behind the name of the kind of file
	out := bytes.Clone(saved[:end])
	binary.LittleEndian.PutUint32(out[at:], version)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}
