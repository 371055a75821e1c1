package raid

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// multiply is in GF(2^8) modulo 0x11d, one bit after the other.
func multiply(a, b byte) byte {
	var product int
	for i := range 8 {
		if b>>i&1 == 1 {
			product ^= int(a) << i
		}
	}
	for i := 15; i >= 8; i-- {
		if product>>i&1 == 1 {
			product ^= 0x11d << (i - 8)
		}
	}
	return byte(product)
}

// mdParity is P and Q as "The mathematics of RAID-6" (H. P. Anvin), which md
// implements, defines them: generator g = 2, Q = g^0·D_0 + g^1·D_1 + …
func mdParity(data [][]byte) (p, q []byte) {
	p, q = make([]byte, len(data[0])), make([]byte, len(data[0]))
	power := byte(1)
	for _, d := range data {
		for i, b := range d {
			p[i] ^= b
			q[i] ^= multiply(power, b)
		}
		power = multiply(power, 2)
	}
	return p, q
}

func TestParityIsMds(t *testing.T) {
	for _, n := range []int{2, 3, 4, 8, 10, 22, MaxData} {
		c, err := newCoder(n)
		if err != nil {
			t.Fatal(err)
		}
		chunks := make([][]byte, n+parities)
		for i := range n {
			chunks[i] = noise(uint64(i), ChunkSize)
		}
		chunks[n], chunks[n+1] = make([]byte, ChunkSize), make([]byte, ChunkSize)
		if err := c.encode(chunks); err != nil {
			t.Fatal(err)
		}
		p, q := mdParity(chunks[:n])
		if !bytes.Equal(chunks[n], p) || !bytes.Equal(chunks[n+1], q) {
			t.Errorf("%d members: P or Q is not what md computes", n)
		}
		for i := range chunks {
			for j := range i + 1 {
				checkRebuild(t, c, chunks, set(0).with(i).with(j))
			}
		}
	}
}

func checkRebuild(t *testing.T, c *coder, chunks [][]byte, absent set) {
	t.Helper()
	left := slices.Clone(chunks)
	for _, i := range absent.members() {
		left[i] = make([]byte, 0, ChunkSize)
	}
	if err := c.rebuild(left, absent); err != nil {
		t.Fatal(err)
	}
	for _, i := range absent.members() {
		if !bytes.Equal(left[i], chunks[i]) {
			t.Errorf("%d members without %v: %d is wrong", len(chunks), absent, i)
		}
	}
}

// TestImageIsMds holds the members of an array against md's algebra and
// layout: chunk c of the array is on member c mod N, in row c div N.
func TestImageIsMds(t *testing.T) {
	drives := newDrives(t, testGeometry)
	a := openDrives(t, drives, policy.Normal)
	want := noise(1, int(a.Size()))
	if _, err := a.WriteAt(want, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for row := range testGeometry.Stripes {
		at := testGeometry.offset(row)
		var data [][]byte
		for i := range testGeometry.Data {
			data = append(data, drives[i].durable[at:at+ChunkSize])
			c := row*int64(testGeometry.Data) + int64(i)
			if !bytes.Equal(data[i], want[c*ChunkSize:(c+1)*ChunkSize]) {
				t.Fatalf("chunk %d is not on member %d", c, i)
			}
		}
		p, q := mdParity(data)
		if !bytes.Equal(p, drives[4].durable[at:at+ChunkSize]) || !bytes.Equal(q, drives[5].durable[at:at+ChunkSize]) {
			t.Fatalf("row %d: P or Q is not what md computes", row)
		}
	}
}

func BenchmarkRebuildLateChunk(b *testing.B) {
	for _, lost := range []set{0b1, 0b11} {
		b.Run(fmt.Sprintf("8x4KiB/lost=%d", lost.count()), func(b *testing.B) {
			c, err := newCoder(8)
			if err != nil {
				b.Fatal(err)
			}
			chunks := make([][]byte, 10)
			for i := range chunks {
				chunks[i] = noise(uint64(i), ChunkSize)
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, m := range lost.members() {
					chunks[m] = chunks[m][:0]
				}
				if err := c.rebuild(chunks, lost); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
