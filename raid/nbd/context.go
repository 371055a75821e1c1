package nbd

import (
	"encoding/binary"
	"errors"
	"strings"
)

// baseAllocation is the context that says where an export holds nothing.
const baseAllocation = "base:allocation"

// A query is the data of LIST_META_CONTEXT and SET_META_CONTEXT: an export, and
// contexts or the beginnings of their names.
type query struct {
	export   string
	contexts []string
}

var errQuery = errors.New("the query of the NBD client is cut off or too long")

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

// takeString takes a length and so many bytes.
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

// asks is whether a query means the one context that there is. To list, a
// namespace or nothing at all will do.
func (q query) asks(list bool) bool {
	for _, name := range q.contexts {
		if name == baseAllocation || list && name == "base:" {
			return true
		}
	}
	return list && len(q.contexts) == 0
}

// contexts answers which there are, or sets those that the client wants.
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
		id := uint32(0) // of a list
		if opt == optSetContext {
			id = allocation
		}
		if err := n.answer(opt, ansContext, append(binary.BigEndian.AppendUint32(nil, id), strings.Clone(baseAllocation)...)); err != nil {
			return err
		}
	}
	return n.answer(opt, ansAck, nil)
}
