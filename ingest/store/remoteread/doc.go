// Package remoteread reads raw samples by Prometheus's remote read, in streamed
// chunks where the store has them, else as samples of one answer.
//
// A frame of the stream is its length, a checksum and a message:
//
//	varint n, CRC-32C of the message (4 bytes), n bytes:
//	ChunkedReadResponse { 1: ChunkedSeries { 1: Label…, 2: Chunk { 1: from, 2: to, 3: type, 4: data }… }… }
//
// What is held is one frame, however long the answer is. The end of a series
// comes as the NaN that marks it.
package remoteread
