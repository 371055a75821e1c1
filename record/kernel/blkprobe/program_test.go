//go:build linux

package blkprobe

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"

	"github.com/limpet-storage/limpet/record/blklat"
)

// TestBucketInKernel: programs find the bucket that the format means, at both
// ends of every bucket and between.
func TestBucketInKernel(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to load BPF programs")
	}
	var p program
	p.add(asm.LoadMem(asm.R3, asm.R1, 0, asm.DWord))
	p.bucket()
	p.add(asm.Mov.Reg(asm.R0, asm.R3), asm.Return())
	loaded, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.RawTracepoint, License: "GPL", Instructions: p.ins})
	if err != nil {
		t.Skip("needs a kernel with BPF: ", err)
	}
	defer loaded.Close()
	random := rand.New(rand.NewPCG(1, 1))
	times := []uint64{0, 1, 1 << 63, ^uint64(0)}
	for b := range blklat.Buckets {
		lower := blklat.LowerNs(b)
		times = append(times, lower, lower-1, lower+random.Uint64N(1+lower/20), random.Uint64()>>random.IntN(64))
	}
	for _, ns := range times {
		got, err := loaded.Run(&ebpf.RunOptions{Context: &ns})
		if err != nil {
			t.Skip("needs a kernel that tries raw tracepoints: ", err)
		}
		if want := blklat.Bucket(ns); int(got) != want {
			t.Fatalf("%d ns: bucket %d in the kernel, want %d", ns, got, want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	f := parseFormat([]byte(`name: block_rq_complete
ID: 1083
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;

	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:int error;	offset:28;	size:4;	signed:1;
	field:char rwbs[10];	offset:34;	size:10;	signed:0;
	field:__data_loc char[] cmd;	offset:44;	size:4;	signed:1;

print fmt: "%d,%d"
`))
	for name, want := range map[string]shownField{
		"dev": {8, 4}, "sector": {16, 8}, "nr_sector": {24, 4}, "error": {28, 4}, "rwbs": {34, 10}, "common_type": {0, 2}, "cmd": {44, 4},
	} {
		if f[name] != want {
			t.Errorf("%s: %+v, want %+v", name, f[name], want)
		}
	}
	if err := f.check("block_rq_complete"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"dev", "rwbs", "error"} {
		was := f[name]
		delete(f, name)
		if f.check("block_rq_complete") == nil {
			t.Errorf("%s is not missed", name)
		}
		f[name] = was
	}
	f["sector"] = shownField{16, 4}
	if f.check("block_rq_complete") == nil {
		t.Error("a sector of 4 bytes is read")
	}
}
