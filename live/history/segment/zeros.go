package segment

import "encoding/binary"

// A page of numbers begins with two bytes of each that are zero, since a code is the upper
// half of a number. A compressor would have to look at them all. But a zstd frame is a
// header and blocks, each of which is compressed or says that one byte is repeated:
//
//	4 bytes   magic number
//	1 byte    descriptor: how long the content's size is, whether there is a window
//	0, 1      window, not where all is one segment
//	…         size of the content
//	3 bytes   a block: bit 0 the last, bits 1 and 2 its kind, then its length
//	…         its bytes
//
// So the blocks of what is not zero follow one that stands for the zeros.
const (
	frameMagic   = 0xfd2fb528
	frameSizes   = 2 << 6 // the size of the content takes four bytes
	frameSegment = 1 << 5 // all is one segment: there is no window
	repeatBlock  = 1 << 1
	mostBlock    = 128 << 10
)

// packZeros compresses a page: zeros, and behind them what is compressed.
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

// frameHeadBytes is where the blocks of a frame without checksum and dictionary begin.
func frameHeadBytes(frame []byte) int {
	descriptor := frame[4]
	n := 5 + []int{0, 2, 4, 8}[descriptor>>6]
	switch {
	case descriptor&frameSegment == 0:
		n++ // the window
	case descriptor>>6 == 0:
		n++ // a size of one byte
	}
	return n
}
