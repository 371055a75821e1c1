package store

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// Constants of the remote read protocol.
const (
	asSamples = 0 // the answer is one message with samples
	asChunks  = 1 // the answer is a stream of chunks

	matchEqual  = 0 // a label is equal to a value
	matchRegexp = 2 // a label matches a regular expression
)

// request returns an encoded prometheus.ReadRequest with one query.
func request(a Request) []byte {
	var q []byte
	q = appendVarint(q, 1, uint64(a.From))
	q = appendVarint(q, 2, uint64(a.To-1)) // the protocol includes the end of the period
	for _, m := range a.Matches {
		kind := uint64(matchEqual)
		if m.Regexp {
			kind = matchRegexp
		}
		one := appendVarint(nil, 1, kind)
		one = appendBytes(one, 2, []byte(m.Name))
		one = appendBytes(one, 3, []byte(m.Value))
		q = appendBytes(q, 3, one)
	}
	r := appendBytes(nil, 1, q)
	return appendBytes(r, 2, []byte{asChunks, asSamples})
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
