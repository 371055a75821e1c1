package raid

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// The record of masked members in a superblock, little-endian. Superblocks that were
// written before masks existed have zeros there.
//
//	0    version; 0: no member is masked
//	4    number of masks
//	8    masks, 448 bytes each:
//	     0   member          24  incident, zeros to the end
//	     4   how, 1 to 3     88  by whom
//	     8   since, seconds  152 why
//	     16  1: it stays when the member has recovered
//	     20  a word of 0
const (
	maskRecordAt      = 256
	maskRecordVersion = 1
	maskRecordSize    = 8 + parities*448
)

type rawMask struct {
	Member, How uint32
	Since       int64
	Stay, Zero  uint32
	Incident    [longestIncident]byte
	By          [longestBy]byte
	Why         [longestWhy]byte
	Rest        [40]byte
}

type rawMasks struct {
	Version, Count uint32
	Masks          [parities]rawMask
}

// encodeMasks writes the record of masks. If the saved record could not be decoded, it is written
// unchanged.
func (s *superblock) encodeMasks(to []byte) {
	if s.masksErr != nil {
		copy(to, s.masksRaw)
		return
	}
	if len(s.masks) == 0 {
		return
	}
	raw := rawMasks{Version: maskRecordVersion, Count: uint32(len(s.masks))}
	for i, m := range s.masks {
		k := &raw.Masks[i]
		k.Member, k.How, k.Since = uint32(m.Member), uint32(slices.Index(policy.Masks(), m.How)+1), m.Since.Unix()
		if m.Stay {
			k.Stay = 1
		}
		copy(k.Incident[:], m.Incident)
		copy(k.By[:], m.By)
		copy(k.Why[:], m.Why)
	}
	if _, err := binary.Encode(to, binary.LittleEndian, &raw); err != nil {
		panic(err) // cannot happen: the struct has a fixed size and fits into the chunk
	}
}

// decodeMasks reads the record of masks. An array works without its masks, so a record that cannot
// be decoded does not prevent Open. The status then has a warning, and the record is kept
// unchanged.
func (s *superblock) decodeMasks(from []byte) {
	masks, err := parseMasks(from, s.geometry, s.lost)
	if err != nil {
		s.masksErr, s.masksRaw = err, bytes.Clone(from[:maskRecordSize])
		return
	}
	s.masks = masks
}

func parseMasks(from []byte, g Geometry, lost set) ([]Mask, error) {
	var raw rawMasks
	if _, err := binary.Decode(from, binary.LittleEndian, &raw); err != nil {
		return nil, err
	}
	switch {
	case raw.Version == 0 && raw == rawMasks{}:
		return nil, nil
	case raw.Version != maskRecordVersion:
		return nil, fmt.Errorf("the record has version %d, but this version of limpet reads version %d", raw.Version, maskRecordVersion)
	case raw.Count == 0 || raw.Count > parities:
		return nil, fmt.Errorf("the record has %d masks, but it must have 1 to %d masks", raw.Count, parities)
	}
	var list []Mask
	for _, k := range raw.Masks[:raw.Count] {
		if k.How < 1 || int(k.How) > len(policy.Masks()) {
			return nil, fmt.Errorf("the record has a mask of the unknown kind number %d", k.How)
		}
		m := Mask{
			Member: int(k.Member), How: policy.Masks()[k.How-1], Since: time.Unix(k.Since, 0).UTC(), Stay: k.Stay != 0,
			Incident: text(k.Incident[:]), By: text(k.By[:]), Why: text(k.Why[:]),
		}
		if err := m.validate(g); err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].Member >= m.Member {
			return nil, errors.New("the masks in the record are not in order")
		}
		if lost.has(m.Member) {
			return nil, fmt.Errorf("the record has a mask of member %d, but this member is lost", m.Member)
		}
		list = append(list, m)
	}
	return list, nil
}

// text returns a string without its trailing zeros.
func text(b []byte) string { return string(bytes.TrimRight(b, "\x00")) }
