package nbd

import (
	"encoding/binary"
	"errors"
	"strings"
)

// baseAllocation is the metadata context that shows the holes of an export.
const baseAllocation = "base:allocation"

// A query is the data of LIST_META_CONTEXT and SET_META_CONTEXT: an export, and names of contexts
// or prefixes of names.
type query struct {
	export   string
	contexts []string
}

var errQuery = errors.New("the NBD client sent a query that is cut off or too long")

func parseQuery(b []byte) (q query, err error) {
	if q.export, b, err = takeString(b); err != nil {
		return query{}, err
	}
	if len(b) < 4 {
		return query{}, errQuery
	}
	count := binary.BigEndian.Uint32(b)
	b = b[4:]
	if uint64(count)*4 > uint64(len(b)) {
		return query{}, errQuery
	}
	for range count {
		var name string
		if name, b, err = takeString(b); err != nil {
			return query{}, err
		}
		q.contexts = append(q.contexts, name)
	}
	if len(b) > 0 {
		return query{}, errQuery
	}
	return q, nil
}

// takeString reads a length and a string of that length.
func takeString(b []byte) (text string, rest []byte, err error) {
	if len(b) < 4 {
		return "", nil, errQuery
	}
	n := binary.BigEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return "", nil, errQuery
	}
	return string(b[4 : 4+n]), b[4+n:], nil
}

// asks reports whether a query asks for baseAllocation, the only context. To list contexts, the
// namespace or an empty query is enough.
func (q query) asks(list bool) bool {
	for _, name := range q.contexts {
		if name == baseAllocation || list && name == "base:" {
			return true
		}
	}
	return list && len(q.contexts) == 0
}

// contexts lists the contexts, or sets the context that the client wants.
func (n *negotiation) contexts(opt option, data []byte) error {
	q, err := parseQuery(data)
	switch {
	case err != nil, opt == optSetContext && !n.structured:
		return n.answer(opt, ansInvalid, nil)
	case !n.knows(q.export):
		return n.answer(opt, ansUnknown, nil)
	}
	found := n.export.maps() != nil && q.asks(opt == optListContext)
	if opt == optSetContext {
		n.allocation = found
	}
	if found {
		id := uint32(0) // 0 in a list
		if opt == optSetContext {
			id = allocation
		}
		if err := n.answer(opt, ansContext, append(binary.BigEndian.AppendUint32(nil, id), strings.Clone(baseAllocation)...)); err != nil {
			return err
		}
	}
	return n.answer(opt, ansAck, nil)
}
