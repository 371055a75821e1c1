package nbd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Numbers of the protocol, which is big-endian.
const (
	magicServer = 0x4e42444d41474943 // "NBDMAGIC"
	magicOption = 0x49484156454f5054 // "IHAVEOPT"
	magicAnswer = 0x0003e889045565a9 // of answers to options

	magicRequest = 0x25609513
	magicReply   = 0x67446698

	fixedNewstyle = 1 << 0 // both sides
	noZeroes      = 1 << 1 // no padding after the answer to EXPORT_NAME
)

// What the client may ask before the export is chosen.
type option uint32

const (
	optExportName option = 1
	optAbort      option = 2
	optList       option = 3
	optInfo       option = 6
	optGo         option = 7
)

// How options are answered.
type answer uint32

const (
	ansAck     answer = 1
	ansServer  answer = 2 // a name
	ansInfo    answer = 3
	ansUnsup   answer = 1<<31 + 1
	ansInvalid answer = 1<<31 + 3
	ansUnknown answer = 1<<31 + 6 // export
	ansTooBig  answer = 1<<31 + 9
)

// What ansInfo tells.
const (
	infoExport      = 0
	infoName        = 1
	infoDescription = 2
	infoBlockSize   = 3
)

// What an export can do.
const (
	hasFlags     = 1 << 0
	readOnly     = 1 << 1
	sendFlush    = 1 << 2
	sendFUA      = 1 << 3
	canMultiConn = 1 << 8
)

// A command is what a request asks.
type command uint16

const (
	cmdRead       command = 0
	cmdWrite      command = 1
	cmdDisconnect command = 2
	cmdFlush      command = 3
)

const flagFUA = 1 << 0

// Errors as the protocol numbers them.
const (
	ePerm    = 1
	eIO      = 5
	eInvalid = 22
	eNoSpace = 28
)

// requestSize is that of a request's header.
const requestSize = 28

// A request is its header.
type request struct {
	flags   uint16
	command command
	cookie  uint64
	off     uint64
	length  uint32
}

var errMagic = errors.New("the client speaks another protocol")

func parseRequest(b []byte) (request, error) {
	if len(b) < requestSize {
		return request{}, io.ErrUnexpectedEOF
	}
	if m := binary.BigEndian.Uint32(b); m != magicRequest {
		return request{}, fmt.Errorf("%w: request begins with %#x", errMagic, m)
	}
	return request{
		flags:   binary.BigEndian.Uint16(b[4:]),
		command: command(binary.BigEndian.Uint16(b[6:])),
		cookie:  binary.BigEndian.Uint64(b[8:]),
		off:     binary.BigEndian.Uint64(b[16:]),
		length:  binary.BigEndian.Uint32(b[24:]),
	}, nil
}

// check is the error that a request gets without the device being asked.
func (r request) check(size int64, e Export, limit int) uint32 {
	beyond := r.off > uint64(size) || uint64(r.length) > uint64(size)-r.off
	switch {
	case r.flags&^flagFUA != 0:
		return eInvalid
	case r.command == cmdFlush:
		return 0
	case r.command != cmdRead && r.command != cmdWrite:
		return eInvalid
	case r.command == cmdWrite && e.ReadOnly:
		return ePerm
	case int64(r.length) > int64(limit):
		return eInvalid
	case beyond && r.command == cmdWrite:
		return eNoSpace
	case beyond:
		return eInvalid
	}
	return 0
}

// reply is the header of an answer.
func (r request) reply(failed uint32) []byte {
	b := make([]byte, 0, 16)
	b = binary.BigEndian.AppendUint32(b, magicReply)
	b = binary.BigEndian.AppendUint32(b, failed)
	return binary.BigEndian.AppendUint64(b, r.cookie)
}

// A choice is the data of INFO and GO: an export, and what is to be told of it.
type choice struct {
	export string
	infos  []uint16
}

var errChoice = errors.New("option is cut or too long")

func parseChoice(b []byte) (choice, error) {
	if len(b) < 6 {
		return choice{}, errChoice
	}
	n := binary.BigEndian.Uint32(b)
	b = b[4:]
	if uint64(n)+2 > uint64(len(b)) {
		return choice{}, errChoice
	}
	c := choice{export: string(b[:n])}
	count := int(binary.BigEndian.Uint16(b[n:]))
	b = b[n+2:]
	if len(b) != 2*count {
		return choice{}, errChoice
	}
	for i := range count {
		c.infos = append(c.infos, binary.BigEndian.Uint16(b[2*i:]))
	}
	return c, nil
}
