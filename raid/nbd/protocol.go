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
	magicAnswer = 0x0003e889045565a9 // begins an answer to an option

	magicRequest = 0x25609513
	magicReply   = 0x67446698

	fixedNewstyle = 1 << 0 // client and server
	noZeroes      = 1 << 1 // no padding after the answer to EXPORT_NAME
)

// An option is a question of the client before the requests begin.
type option uint32

const (
	optExportName option = 1
	optAbort      option = 2
	optList       option = 3
	optStartTLS   option = 5
	optInfo       option = 6
	optGo         option = 7

	optStructured  option = 8
	optListContext option = 9
	optSetContext  option = 10
)

// An answer is the kind of an answer to an option.
type answer uint32

const (
	ansAck     answer = 1
	ansServer  answer = 2 // name of an export
	ansInfo    answer = 3
	ansContext answer = 4
	ansUnsup   answer = 1<<31 + 1
	ansInvalid answer = 1<<31 + 3
	ansSecure  answer = 1<<31 + 5 // TLS is required first
	ansUnknown answer = 1<<31 + 6 // unknown export
	ansTooBig  answer = 1<<31 + 9
)

// Kinds of information in ansInfo.
const (
	infoExport      = 0
	infoName        = 1
	infoDescription = 2
	infoBlockSize   = 3
)

// Flags of an export.
const (
	hasFlags     = 1 << 0
	readOnly     = 1 << 1
	sendFlush    = 1 << 2
	sendFUA      = 1 << 3
	sendTrim     = 1 << 5
	sendZeroes   = 1 << 6
	sendDF       = 1 << 7 // the client may demand that a read is answered in one chunk; every read is
	canMultiConn = 1 << 8
)

// A command is the kind of a request.
type command uint16

const (
	cmdRead       command = 0
	cmdWrite      command = 1
	cmdDisconnect command = 2
	cmdFlush      command = 3

	cmdTrim        command = 4
	cmdWriteZeroes command = 6
	cmdBlockStatus command = 7
)

// Flags of requests.
const (
	flagFUA    = 1 << 0
	flagNoHole = 1 << 1 // WRITE_ZEROES
	flagDF     = 1 << 2 // READ
	flagReqOne = 1 << 3 // BLOCK_STATUS
)

// payload returns the number of bytes of memory that a request needs.
func (r request) payload() int {
	if r.command == cmdRead || r.command == cmdWrite {
		return int(r.length)
	}
	return 0
}

// Error numbers of the protocol.
const (
	ePerm    = 1
	eIO      = 5
	eInvalid = 22
	eNoSpace = 28
)

// requestSize is the size of the header of a request in bytes.
const requestSize = 28

// A request is the header of a request.
type request struct {
	flags   uint16
	command command
	cookie  uint64
	off     uint64
	length  uint32
}

var errMagic = errors.New("the client does not use the NBD protocol")

func parseRequest(b []byte) (request, error) {
	if len(b) < requestSize {
		return request{}, io.ErrUnexpectedEOF
	}
	if m := binary.BigEndian.Uint32(b); m != magicRequest {
		return request{}, fmt.Errorf("%w: a request of the client begins with %#x", errMagic, m)
	}
	return request{
		flags:   binary.BigEndian.Uint16(b[4:]),
		command: command(binary.BigEndian.Uint16(b[6:])),
		cookie:  binary.BigEndian.Uint64(b[8:]),
		off:     binary.BigEndian.Uint64(b[16:]),
		length:  binary.BigEndian.Uint32(b[24:]),
	}, nil
}

// check returns the error with which a request is refused without the device; 0: none.
func (r request) check(size int64, e Export, a agreement, limit int) uint32 {
	beyond := r.off > uint64(size) || uint64(r.length) > uint64(size)-r.off
	writes := r.command == cmdWrite || r.command == cmdTrim || r.command == cmdWriteZeroes
	switch {
	case r.flags&^(flagFUA|r.command.flags(a)) != 0:
		return eInvalid
	case r.command == cmdFlush:
		return 0
	case !e.serves(r.command, a):
		return eInvalid
	case writes && e.ReadOnly:
		return ePerm
	case int64(r.payload()) > int64(limit), r.command == cmdBlockStatus && r.length == 0:
		return eInvalid
	case beyond && writes:
		return eNoSpace
	case beyond:
		return eInvalid
	}
	return 0
}

// flags returns the flags that a command accepts besides FUA.
func (c command) flags(a agreement) uint16 {
	switch {
	case c == cmdWriteZeroes:
		return flagNoHole
	case c == cmdRead && a.structured:
		return flagDF
	case c == cmdBlockStatus:
		return flagReqOne
	}
	return 0
}

// serves reports whether the export offers a command to the client.
func (e *Export) serves(c command, a agreement) bool {
	switch c {
	case cmdRead, cmdWrite:
		return true
	case cmdTrim, cmdWriteZeroes:
		return e.zeroes() != nil
	case cmdBlockStatus:
		return a.allocation
	}
	return false
}

// reply returns the header of a simple reply.
func (r request) reply(failed uint32) []byte {
	b := make([]byte, 0, 16)
	b = binary.BigEndian.AppendUint32(b, magicReply)
	b = binary.BigEndian.AppendUint32(b, failed)
	return binary.BigEndian.AppendUint64(b, r.cookie)
}

// A choice is the data of INFO and GO: an export, and the kinds of information that the client
// wants.
type choice struct {
	export string
	infos  []uint16
}

var errChoice = errors.New("the NBD client sent an option that is cut off or too long")

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
