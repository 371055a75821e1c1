package formtest

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/state"
)

// bytesInLine are those of a line.
const bytesInLine = 16

// ByteLines returns the form of something that is written byte by byte: the bytes of an
// example of which every value is fixed. by names the function that writes it.
func ByteLines(by string, b []byte) []state.Field {
	lines := []state.Field{{Form: fmt.Sprintf("%s, %d bytes", by, len(b)), By: by}}
	for part := range slices.Chunk(b, bytesInLine) {
		lines = append(lines, state.Field{Form: hex.EncodeToString(part), By: by})
	}
	return lines
}
