package tabular

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Footers and headers of pages use Thrift's compact protocol, in which the length of a
// list or text comes first:
//
//	0x15 0x02           field 1, the integer 1
//	0x19 0xfc 0x80 0x20 field 2, a list of 4096 structures
//
// A decoder allocates memory for a list as soon as it has read the length. A wrong length
// could take all memory. So a walker first checks all lengths, and allocates nothing.

// Limits for the structures of a file.
const (
	maxDepth   = 32      // largest depth of nested structures; Parquet needs six
	maxListed  = 1 << 19 // largest number of list elements; most of them are columns, which every row group lists again
	longestInt = 10      // largest number of bytes of an integer of variable length
)

var (
	errThrift     = errors.New("its footer is cut off or damaged")
	errPageHeader = errors.New("the header of a page is cut off or damaged")
)

// Types of fields in Thrift's compact protocol.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftShort
	thriftInt
	thriftLong
	thriftDouble
	thriftText
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// A walker checks a structure of the compact protocol.
type walker struct {
	left   []byte
	listed int
	// The walker calls onInteger for each integer. The parameter `field` is the number of the field
	// that contains the integer. If this field is inside another structure, the parameter `within`
	// is the number of the outermost field. Otherwise `within` is 0.
	onInteger func(within, field int, v int64)
}

// walk checks the structure at the beginning of b, and returns its length in bytes. If the function
// `see` is not nil, walk calls it for each integer (see walker.onInteger).
func walk(b []byte, see func(within, field int, v int64)) (n int, err error) {
	w := &walker{left: b, onInteger: see}
	if see == nil {
		w.onInteger = func(int, int, int64) {}
	}
	err = w.structure(0, 0)
	return len(b) - len(w.left), err
}

func (w *walker) structure(within, depth int) error {
	if depth > maxDepth {
		return errThrift
	}
	for field := 0; ; {
		head, err := w.byte()
		if err != nil || head&0xf == thriftStop {
			return err
		}
		if delta := int(head >> 4); delta > 0 {
			field += delta
		} else if v, err := w.integer(); err == nil {
			field = int(int16(v))
		} else {
			return err
		}
		if err := w.value(head&0xf, within, field, depth); err != nil {
			return err
		}
	}
}

func (w *walker) value(kind byte, within, field, depth int) error {
	const double = 8
	switch kind {
	case thriftTrue, thriftFalse:
		return nil
	case thriftByte:
		return w.skip(1)
	case thriftShort, thriftInt, thriftLong:
		v, err := w.integer()
		w.onInteger(within, field, v)
		return err
	case thriftDouble:
		return w.skip(double)
	case thriftText:
		n, err := w.length()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftList, thriftSet:
		return w.list(field, depth)
	case thriftStruct:
		if depth == 0 {
			within = field
		}
		return w.structure(within, depth+1)
	}
	return errThrift // Parquet has no maps
}

func (w *walker) list(field, depth int) error {
	const long = 15
	head, err := w.byte()
	if err != nil {
		return err
	}
	n, kind := uint64(head>>4), head&0xf
	if n == long {
		if n, err = w.length(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.left)) { // each element takes at least a byte
		return errThrift
	}
	if kind == thriftStruct {
		if w.listed += int(n); w.listed > maxListed {
			return fmt.Errorf("the number of its row groups times the number of columns is more than %d; write larger row groups, or fewer columns", maxListed)
		}
	}
	for range n {
		if kind == thriftTrue || kind == thriftFalse {
			kind = thriftByte
		}
		if err := w.value(kind, 0, field, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) byte() (byte, error) {
	if len(w.left) == 0 {
		return 0, errThrift
	}
	b := w.left[0]
	w.left = w.left[1:]
	return b, nil
}

func (w *walker) length() (uint64, error) {
	v, n := binary.Uvarint(w.left[:min(longestInt, len(w.left))])
	if n <= 0 {
		return 0, errThrift
	}
	w.left = w.left[n:]
	return v, nil
}

func (w *walker) integer() (int64, error) {
	v, n := binary.Varint(w.left[:min(longestInt, len(w.left))])
	if n <= 0 {
		return 0, errThrift
	}
	w.left = w.left[n:]
	return v, nil
}

func (w *walker) skip(n uint64) error {
	if n > uint64(len(w.left)) {
		return errThrift
	}
	w.left = w.left[n:]
	return nil
}
