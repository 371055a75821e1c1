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

// Of returns the checksum of a chunk. The checksum of zeros is 0.
func Of(chunk []byte) uint32 { return sumOf(chunk) }

// plainSum computes the checksum without special instructions.
func plainSum(chunk []byte) uint32 { return crc32.Checksum(chunk, castagnoli) ^ zeroChunk }

// Each returns the checksums of consecutive chunks.
func Each(chunks []byte) []uint32 {
	sums := make([]uint32, len(chunks)/ChunkSize)
	for i := range sums {
		sums[i] = Of(chunks[i*ChunkSize:][:ChunkSize])
	}
	return sums
}

// Blocks returns the number of blocks in the table of a number of stripes.
func Blocks(stripes int64) int64 { return (stripes + PerBlock - 1) / PerBlock }

// sealSector writes the checksum of a sector.
func sealSector(b []byte) {
	binary.LittleEndian.PutUint32(b[sector-4:], crc32.Checksum(b[:sector-4], castagnoli)^zeroSector)
}

// soundSector reports whether the checksum of a sector is right.
func soundSector(b []byte) bool {
	return binary.LittleEndian.Uint32(b[sector-4:]) == crc32.Checksum(b[:sector-4], castagnoli)^zeroSector
}
