package raid

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

func FuzzSuperblock(f *testing.F) {
	good := superblock{state{
		array: ID{1, 2}, geometry: testGeometry, event: 7, name: 8, previous: 9,
		lost: 0b101, rebuilding: 0b100, rebuilt: 3, floor: 11, clean: true,
		masks: []Mask{{Member: 1, How: policy.MaskLast, Incident: "ec082432", Why: "12 times slower", By: "limpet", Since: time.Unix(1790000000, 0).UTC(), Stay: true}},
	}, 3}
	chunk := make([]byte, ChunkSize)
	good.encode(chunk)
	if got, err := decodeSuperblock(chunk); err != nil || !reflect.DeepEqual(got, good) {
		f.Fatalf("%+v, %v, want %+v", got, err, good)
	}
	f.Add(chunk[:136], true)
	f.Add(chunk[:maskRecordAt+maskRecordSize], true)
	f.Add([]byte("limpRAID"), false)
	f.Fuzz(func(t *testing.T, head []byte, sealed bool) {
		chunk := make([]byte, ChunkSize)
		copy(chunk, head)
		if sealed { // past the checksum
			sum := checksumOf(chunk, 12)
			chunk[12], chunk[13], chunk[14], chunk[15] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
		}
		b, err := decodeSuperblock(chunk)
		if err != nil {
			return
		}
		again := make([]byte, ChunkSize)
		b.encode(again)
		if c, err := decodeSuperblock(again); err != nil || !reflect.DeepEqual(c, b) {
			t.Fatalf("%+v becomes %+v, %v", b, c, err)
		}
	})
}

func FuzzRecord(f *testing.F) {
	var pool member.Buffers
	array := ID{3}
	r := newRecord(&pool, 3, true)
	for i := range int64(3) {
		r.add(5+i, bytes.Repeat([]byte{byte(i)}, ChunkSize))
	}
	f.Add(r.seal(array, 2, 77)[:100])
	f.Fuzz(func(t *testing.T, head []byte) {
		buf := make([]byte, (1+testGeometry.Journal)*ChunkSize)
		copy(buf, head)
		r, err := parseHeader(buf, array, 2, testGeometry, &member.Buffers{})
		if err != nil {
			return
		}
		d := newDrive("d", testGeometry.MemberSize())
		if err := r.inPlace(d, testGeometry); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(d.content[:testGeometry.offset(0)], make([]byte, testGeometry.offset(0))) {
			t.Fatal("a record wrote over superblocks or the journal")
		}
		r.seal(array, 2, r.seq())
		if !r.whole() {
			t.Fatal("a sealed record is not whole")
		}
		buf[len(r.bytes())-1] ^= 1
		if r.whole() {
			t.Fatal("a changed record is whole")
		}
	})
}
