package member

import (
	"encoding/binary"
	"hash/crc32"
)

// Sizes of a table.
const (
	sector    = 512
	perSector = sector/4 - 1 // sums in a sector
	sectors   = ChunkSize / sector
	PerBlock  = sectors * perSector // sums in a block
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	zeroChunk  = crc32.Checksum(make([]byte, ChunkSize), castagnoli)
	zeroSector = crc32.Checksum(make([]byte, sector-4), castagnoli)
)

// Of is the sum of a chunk; that of zeros is 0.
func Of(chunk []byte) uint32 { return sumOf(chunk) }

// plainSum is what every processor can do.
func plainSum(chunk []byte) uint32 { return crc32.Checksum(chunk, castagnoli) ^ zeroChunk }

// Each are the sums of chunks in a row.
func Each(chunks []byte) []uint32 {
	sums := make([]uint32, len(chunks)/ChunkSize)
	for i := range sums {
		sums[i] = Of(chunks[i*ChunkSize:][:ChunkSize])
	}
	return sums
}

// Blocks is how many blocks a table of so many stripes has.
func Blocks(stripes int64) int64 { return (stripes + PerBlock - 1) / PerBlock }

// sealSector completes a sector.
func sealSector(b []byte) {
	binary.LittleEndian.PutUint32(b[sector-4:], crc32.Checksum(b[:sector-4], castagnoli)^zeroSector)
}

// soundSector is whether a sector is as it was sealed.
func soundSector(b []byte) bool {
	return binary.LittleEndian.Uint32(b[sector-4:]) == crc32.Checksum(b[:sector-4], castagnoli)^zeroSector
}
