package store

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of the protocol.
const (
	asSamples = 0 // kinds of answers
	asChunks  = 1

	matchEqual  = 0
	matchRegexp = 2
)

// request returns a prometheus.ReadRequest with one query.
func request(a Ask) []byte {
	var q []byte
	q = appendVarint(q, 1, uint64(a.From))
	q = appendVarint(q, 2, uint64(a.To-1)) // the protocol includes the end
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
