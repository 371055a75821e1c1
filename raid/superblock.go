package raid

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/limpet-storage/limpet/raid/member"
)

// A superblock, little-endian, zero to the end of its chunk:
//
//	0    "limpRAID"       72   event, counted
//	8    version          80   event, random name
//	12   checksum         88   name of the event before
//	16   array            96   lost members, a bit each
//	32   member           104  lost members that are being rebuilt
//	36   data members     112  stripes rebuilt
//	40   chunk size       120  first batch that recovery uses
//	44   journal chunks   128  clean
//	48   stripes          136  last batch that all members hold
//	56   two words of 0   144  stripes checked by an interrupted scrub
//	                      152  end of the last complete scrub, seconds since 1970
//	                      256  masked members (mask_record.go)
//
// The checksum is CRC-32C of the chunk with 0 in its place.

// superblocks is the number of superblocks of a member. They are written in turn, so that one is
// always complete.
const superblocks = 2

// Versions of the superblock. Version 2 has checksums of chunks.
const (
	plainVersion   = 1
	summingVersion = 2
)

func (g Geometry) version() uint32 {
	if g.Checksums {
		return summingVersion
	}
	return plainVersion
}

var magic = [8]byte{'l', 'i', 'm', 'p', 'R', 'A', 'I', 'D'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An ID identifies an array. It never changes.
type ID [16]byte

// String returns the ID as 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// A state is the part of a superblock that is the same on all members.
type state struct {
	array    ID
	geometry Geometry

	event          uint64
	name, previous uint64 // names of this event and of the event before

	lost       set // members that must not be read
	rebuilding set // lost members that are written to
	rebuilt    int64
	floor      uint64 // first batch that recovery uses
	clean      bool   // no write is in flight
	scrubbed   int64  // stripes checked by an interrupted scrub
	scrubbedAt int64  // end of the last complete scrub, seconds since 1970; 0: never
	last       uint64 // last batch that all members held at the event; 0: not known

	masks    []Mask // masks of members that are not lost, in order; never changed in place
	masksErr error  // reason why the record of masks could not be decoded
	masksRaw []byte // that record, kept until masks are changed
}

// A superblock is the state of the array and the number of the member that holds it.
type superblock struct {
	state
	member int
}

type rawSuperblock struct {
	Magic             [8]byte
	Version, Checksum uint32
	Array             ID
	Member, Data      uint32
	ChunkSize         uint32
	Journal           uint32
	Stripes           uint64
	Reserved          [2]uint64
	Event             uint64
	Name, Previous    uint64
	Lost, Rebuilding  uint64
	Rebuilt           uint64
	Floor             uint64
	Clean             uint64
	Last              uint64
	Scrubbed          uint64
	ScrubbedAt        uint64
}

// encode writes the superblock into a chunk.
func (s *superblock) encode(chunk []byte) {
	clear(chunk)
	raw := rawSuperblock{
		Magic: magic, Version: s.geometry.version(), Array: s.array, Member: uint32(s.member),
		Data: uint32(s.geometry.Data), ChunkSize: ChunkSize,
		Journal: uint32(s.geometry.Journal), Stripes: uint64(s.geometry.Stripes),
		Event: s.event, Name: s.name, Previous: s.previous,
		Lost: uint64(s.lost), Rebuilding: uint64(s.rebuilding), Rebuilt: uint64(s.rebuilt),
		Floor: s.floor, Last: s.last, Scrubbed: uint64(s.scrubbed), ScrubbedAt: uint64(s.scrubbedAt),
	}
	if s.clean {
		raw.Clean = 1
	}
	if _, err := binary.Encode(chunk, binary.LittleEndian, &raw); err != nil {
		panic(err) // cannot happen: the struct has a fixed size and fits into the chunk
	}
	s.encodeMasks(chunk[maskRecordAt:])
	binary.LittleEndian.PutUint32(chunk[12:], checksumOf(chunk, 12))
}

// Errors of a superblock.
var (
	ErrNoArray  = errors.New("the drive or file is not a member of a limpet array")
	ErrChecksum = errors.New("the checksum of the superblock is wrong")
	ErrVersion  = errors.New("this version of limpet cannot read the superblock")
)

func decodeSuperblock(chunk []byte) (superblock, error) {
	var raw rawSuperblock
	if _, err := binary.Decode(chunk, binary.LittleEndian, &raw); err != nil {
		return superblock{}, fmt.Errorf("the superblock of %d bytes cannot be read: %w", len(chunk), err)
	}
	if raw.Magic != magic {
		return superblock{}, ErrNoArray
	}
	if raw.Checksum != checksumOf(chunk, 12) {
		return superblock{}, ErrChecksum
	}
	if raw.Version != plainVersion && raw.Version != summingVersion || raw.ChunkSize != ChunkSize {
		return superblock{}, fmt.Errorf("%w: the version is %d, with chunks of %d bytes: use the version of limpet that made the array", ErrVersion, raw.Version, raw.ChunkSize)
	}
	s := superblock{member: int(raw.Member)}
	s.state = state{
		array:    raw.Array,
		geometry: Geometry{Data: int(raw.Data), Stripes: int64(raw.Stripes), Journal: int(raw.Journal), Checksums: raw.Version == summingVersion},
		event:    raw.Event, name: raw.Name, previous: raw.Previous,
		lost: set(raw.Lost), rebuilding: set(raw.Rebuilding), rebuilt: int64(raw.Rebuilt),
		floor: raw.Floor, clean: raw.Clean != 0, last: raw.Last,
		scrubbed: int64(raw.Scrubbed), scrubbedAt: int64(raw.ScrubbedAt),
	}
	if err := s.validate(); err != nil {
		return s, err
	}
	s.decodeMasks(chunk[maskRecordAt:])
	return s, nil
}

// validate returns an error if the superblock is not possible, even if its checksum is right.
func (s *superblock) validate() error {
	if err := s.geometry.Validate(); err != nil {
		return fmt.Errorf("the superblock is not valid: %w", err)
	}
	all := firstMembers(s.geometry.Members())
	switch {
	case !all.has(s.member):
		return fmt.Errorf("the superblock is not valid: it belongs to member %d, but the array has only %d members", s.member, s.geometry.Members())
	case s.lost&^all != 0 || s.lost.count() > parities || s.rebuilding&^s.lost != 0:
		return fmt.Errorf("the superblock is not valid: these lists of members are not possible (lost: %v, being rebuilt: %v)", s.lost, s.rebuilding)
	case s.scrubbed < 0 || s.scrubbed > s.geometry.Stripes:
		return fmt.Errorf("the superblock is not valid: it states that %d of %d stripes are scrubbed", s.scrubbed, s.geometry.Stripes)
	case s.rebuilt < 0 || s.rebuilt > s.geometry.Stripes:
		return fmt.Errorf("the superblock is not valid: it states that %d of %d stripes are rebuilt", s.rebuilt, s.geometry.Stripes)
	}
	return nil
}

// checksumOf returns the checksum of b, with the four bytes at hole taken as 0.
func checksumOf(b []byte, hole int) uint32 {
	sum := crc32.Update(0, castagnoli, b[:hole])
	sum = crc32.Update(sum, castagnoli, []byte{0, 0, 0, 0})
	return crc32.Update(sum, castagnoli, b[hole+4:])
}

// readSuperblock reads both superblocks, and returns the later one that is valid.
func readSuperblock(m Member, pool *member.Buffers) (superblock, error) {
	buf := pool.Get(superblocks * ChunkSize)
	defer pool.Put(buf)
	if m.Size() < superblocks*ChunkSize {
		return superblock{}, fmt.Errorf("%w: the size is only %d bytes", ErrNoArray, m.Size())
	}
	if _, err := m.ReadAt(buf, 0); err != nil {
		return superblock{}, err
	}
	even, errEven := decodeSuperblock(buf[:ChunkSize])
	odd, errOdd := decodeSuperblock(buf[ChunkSize:])
	switch {
	case errEven == nil && (errOdd != nil || even.event > odd.event):
		return even, nil
	case errOdd == nil:
		return odd, nil
	case marks(buf):
		return superblock{}, ErrWiped
	case errors.Is(errEven, ErrNoArray) && !bytes.Equal(buf[ChunkSize:ChunkSize+8], magic[:]):
		return superblock{}, ErrNoArray
	case errors.Is(errEven, ErrNoArray):
		return superblock{}, errOdd
	default:
		return superblock{}, errEven
	}
}

// marks reports whether one of the two chunks is a mark of a member that was to be wiped.
func marks(buf []byte) bool {
	_, first := decodeMark(buf[:ChunkSize])
	_, second := decodeMark(buf[ChunkSize:])
	return first || second
}

// writeSuperblock makes s durable on a member, and keeps the superblock before it.
func writeSuperblock(m Member, s superblock, pool *member.Buffers) error {
	buf := pool.Get(ChunkSize)
	defer pool.Put(buf)
	s.encode(buf)
	if _, err := m.WriteAt(buf, int64(s.event%superblocks)*ChunkSize); err != nil {
		return err
	}
	return m.Sync()
}
