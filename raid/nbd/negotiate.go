package nbd

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
)

// maxOption is the largest size of an option in bytes: a name has at most 4096 bytes, and no client
// asks for many items.
const maxOption = 8192

var (
	errAborted = errors.New("the client ended the negotiation")
	errExport  = errors.New("the client requested an export that this server does not have")
	errPlain   = errors.New("the client does not use TLS")
)

// A negotiation is the part of the protocol before the first request.
type negotiation struct {
	conn   net.Conn
	in     *bufio.Reader // reads from conn
	export Export
	limit  int // largest number of bytes of a request
	padded bool

	tls       *tls.Config // nil: no TLS
	encrypted bool
	agreement
}

// An agreement holds the features that client and server agreed on.
type agreement struct {
	structured bool // structured replies
	allocation bool // the context baseAllocation
}

// run negotiates until the client has chosen the export.
func (n *negotiation) run() error {
	hello := binary.BigEndian.AppendUint64(nil, magicServer)
	hello = binary.BigEndian.AppendUint64(hello, magicOption)
	hello = binary.BigEndian.AppendUint16(hello, fixedNewstyle|noZeroes)
	if _, err := n.conn.Write(hello); err != nil {
		return err
	}
	var b [4]byte
	if _, err := io.ReadFull(n.in, b[:]); err != nil {
		return err
	}
	flags := binary.BigEndian.Uint32(b[:])
	if flags&^(fixedNewstyle|noZeroes) != 0 || flags&fixedNewstyle == 0 {
		return fmt.Errorf("%w: the client sent the flags %#x", errMagic, flags)
	}
	n.padded = flags&noZeroes == 0
	for {
		if chosen, err := n.option(); err != nil || chosen {
			return err
		}
	}
}

// option reads and answers one option.
func (n *negotiation) option() (chosen bool, err error) {
	var head [16]byte
	if _, err := io.ReadFull(n.in, head[:]); err != nil {
		return false, err
	}
	if m := binary.BigEndian.Uint64(head[:]); m != magicOption {
		return false, fmt.Errorf("%w: an option of the client begins with %#x", errMagic, m)
	}
	opt, length := option(binary.BigEndian.Uint32(head[8:])), binary.BigEndian.Uint32(head[12:])
	if length > maxOption {
		return false, n.tooLong(opt, length)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(n.in, data); err != nil {
		return false, err
	}
	return n.handle(opt, data)
}

func (n *negotiation) tooLong(opt option, length uint32) error {
	if opt == optExportName {
		return errExport // EXPORT_NAME has no error answer, so the connection ends
	}
	if _, err := io.CopyN(io.Discard, n.in, int64(length)); err != nil {
		return err
	}
	return n.answer(opt, ansTooBig, nil)
}

func (n *negotiation) handle(opt option, data []byte) (chosen bool, err error) {
	if !n.secured(opt) {
		if opt == optExportName {
			return false, errPlain // EXPORT_NAME has no error answer, so the connection ends
		}
		return false, n.answer(opt, ansSecure, nil)
	}
	switch opt {
	case optStartTLS:
		return false, n.startTLS(data)
	case optStructured:
		return false, n.structure(data)
	case optListContext, optSetContext:
		return false, n.contexts(opt, data)
	case optExportName:
		return true, n.exportName(string(data))
	case optAbort:
		return false, errors.Join(errAborted, n.answer(opt, ansAck, nil))
	case optList:
		return false, n.list(data)
	case optInfo, optGo:
		return n.choose(opt, data)
	default:
		return false, n.answer(opt, ansUnsup, nil)
	}
}

func (n *negotiation) answer(opt option, a answer, data []byte) error {
	b := binary.BigEndian.AppendUint64(nil, magicAnswer)
	b = binary.BigEndian.AppendUint32(b, uint32(opt))
	b = binary.BigEndian.AppendUint32(b, uint32(a))
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	_, err := n.conn.Write(append(b, data...))
	return err
}

// structure turns structured replies on.
func (n *negotiation) structure(data []byte) error {
	if len(data) > 0 {
		return n.answer(optStructured, ansInvalid, nil)
	}
	n.structured = true
	return n.answer(optStructured, ansAck, nil)
}

// knows reports whether a name is the name of the export. An empty name means the default export.
func (n *negotiation) knows(name string) bool { return name == "" || name == n.export.Name }

func (n *negotiation) exportName(name string) error {
	if !n.knows(name) {
		return fmt.Errorf("%w: %.100q", errExport, name)
	}
	b := n.sizeAndFlags(nil)
	if n.padded {
		b = append(b, make([]byte, 124)...)
	}
	_, err := n.conn.Write(b)
	return err
}

func (n *negotiation) sizeAndFlags(b []byte) []byte {
	flags := uint16(hasFlags | sendFlush | sendFUA | canMultiConn)
	if n.structured {
		flags |= sendDF
	}
	switch {
	case n.export.ReadOnly:
		flags |= readOnly
	case n.export.zeroes() != nil:
		flags |= sendTrim | sendZeroes
	}
	b = binary.BigEndian.AppendUint64(b, uint64(n.export.Device.Size()))
	return binary.BigEndian.AppendUint16(b, flags)
}

func (n *negotiation) list(data []byte) error {
	if len(data) > 0 {
		return n.answer(optList, ansInvalid, nil)
	}
	entry := binary.BigEndian.AppendUint32(nil, uint32(len(n.export.Name)))
	entry = append(append(entry, n.export.Name...), n.export.Description...)
	if err := n.answer(optList, ansServer, entry); err != nil {
		return err
	}
	return n.answer(optList, ansAck, nil)
}

// choose answers INFO and GO with the description of the export. After GO the requests begin.
func (n *negotiation) choose(opt option, data []byte) (chosen bool, err error) {
	c, err := parseChoice(data)
	if err != nil {
		return false, n.answer(opt, ansInvalid, nil)
	}
	if !n.knows(c.export) {
		return false, n.answer(opt, ansUnknown, nil)
	}
	for _, info := range n.infos(c.infos) {
		if err := n.answer(opt, ansInfo, info); err != nil {
			return false, err
		}
	}
	return opt == optGo, n.answer(opt, ansAck, nil)
}

// infos returns the required information, and the information that the client asked for.
func (n *negotiation) infos(asked []uint16) [][]byte {
	info := func(kind uint16) []byte { return binary.BigEndian.AppendUint16(nil, kind) }
	list := [][]byte{n.sizeAndFlags(info(infoExport)), n.blockSize(info(infoBlockSize))}
	if slices.Contains(asked, infoName) {
		list = append(list, append(info(infoName), n.export.Name...))
	}
	if slices.Contains(asked, infoDescription) {
		list = append(list, append(info(infoDescription), n.export.Description...))
	}
	return list
}

// preferred is the page size of clients, and the chunk size of arrays.
const preferred = 4096

// blockSize appends the smallest, the preferred and the largest size of a request.
func (n *negotiation) blockSize(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, preferred)
	return binary.BigEndian.AppendUint32(b, uint32(n.limit))
}
