package segment

import "encoding/binary"

// A code is the upper half of a 32-bit number, and the lower half is zero. A page has the lower bytes
// of all its numbers first. So the first half of a page of numbers consists of zeros. An ordinary
// compressor would need time to read all these zeros. The writer compresses the zeros itself. A zstd
// frame is a header and blocks, and a block can be one repeated byte:
//
//	4 bytes   magic number
//	1 byte    descriptor: the length of the field "size of the content", and a bit (frameSegment)
//	0 or 1    size of the memory for decoding ("window" in zstd); 0 bytes if the bit frameSegment is set
//	…         size of the content
//	3 bytes   head of a block: bit 0 marks the last block, bits 1 and 2 are the kind, the rest is the length
//	…         bytes of the block
//
// So the writer emits blocks of repeated zeros, and after them the compressed blocks of the second
// half.
const (
	frameMagic   = 0xfd2fb528
	frameSizes   = 2 << 6 // the size of the content takes four bytes
	frameSegment = 1 << 5 // the frame has no field for the window of zstd, because the decoder keeps the whole content
	repeatBlock  = 1 << 1
	mostBlock    = 128 << 10
)

// packZeros compresses a page and appends the result to the slice `to`: blocks of zeros, then the
// compressed second half of the page.
func (w *Writer) packZeros(to []byte) []byte {
	zeros := len(w.values) / 2
	w.half = w.zstd.EncodeAll(w.values[zeros:], w.half[:0])
	to = binary.LittleEndian.AppendUint32(to, frameMagic)
	to = append(to, frameSizes|frameSegment)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(w.values)))
	for zeros > 0 {
		n := min(zeros, mostBlock)
		head := uint32(n)<<3 | repeatBlock
		to, zeros = append(to, byte(head), byte(head>>8), byte(head>>16), 0), zeros-n
	}
	return append(to, w.half[frameHeadBytes(w.half):]...)
}

// frameHeadBytes returns the offset of the first block of a frame. The frame must have no checksum
// and no dictionary.
func frameHeadBytes(frame []byte) int {
	descriptor := frame[4]
	n := 5 + []int{0, 2, 4, 8}[descriptor>>6]
	switch {
	case descriptor&frameSegment == 0:
		n++ // the field for the window of zstd
	case descriptor>>6 == 0:
		n++ // the size of the content takes one byte
	}
	return n
}
