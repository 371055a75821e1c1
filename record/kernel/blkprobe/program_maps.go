//go:build linux

package blkprobe

import (
	"errors"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// mostShards is the largest number of shards. On larger machines several processors share a shard.
const mostShards = 8

// maps are the data that the programs share with each other and with the reader.
type maps struct {
	requests *ebpf.Map // entries by request; if full, the least recently used entry is evicted
	owners   *ebpf.Map // numbers of blocks by owner
	free     *ebpf.Map // numbers of blocks that have no owner
	blocks   *ebpf.Map
	shards   int // a power of two
	deaf     string
}

func newMaps(o options) (m maps, err error) {
	m.shards, m.deaf = 1, o.Deaf
	for m.shards < min(o.Processors, mostShards) {
		m.shards *= 2
	}
	blocks := uint32(o.Blocks)
	for _, make := range []struct {
		in   **ebpf.Map
		spec ebpf.MapSpec
	}{
		{&m.requests, ebpf.MapSpec{Name: "limpet_requests", Type: ebpf.LRUHash, KeySize: 8, ValueSize: entrySize, MaxEntries: uint32(o.Requests)}},
		{&m.owners, ebpf.MapSpec{Name: "limpet_owners", Type: ebpf.Hash, KeySize: 8, ValueSize: 4, MaxEntries: blocks}},
		{&m.free, ebpf.MapSpec{Name: "limpet_free", Type: ebpf.Queue, ValueSize: 4, MaxEntries: blocks}},
		{&m.blocks, ebpf.MapSpec{Name: "limpet_blocks", Type: ebpf.Array, KeySize: 4, ValueSize: size, MaxEntries: blocks, Flags: unix.BPF_F_MMAPABLE}},
	} {
		*make.in, err = ebpf.NewMap(&make.spec)
		if err != nil && make.spec.Flags == unix.BPF_F_MMAPABLE {
			make.spec.Flags = 0 // Linux 5.4 cannot map a BPF map into the memory of a process
			*make.in, err = ebpf.NewMap(&make.spec)
		}
		if err != nil {
			return m, errors.Join(err, m.close())
		}
	}
	for number := uint32(1); number < blocks; number++ {
		if err := m.free.Update(nil, number, ebpf.UpdateAny); err != nil {
			return m, errors.Join(err, m.close())
		}
	}
	return m, nil
}

// memory returns the memory of the blocks: shared with the kernel, or copied from it.
func (m *maps) memory() (memory, error) {
	if m.blocks.Flags()&unix.BPF_F_MMAPABLE == 0 {
		return &copied{blocks: m.blocks, whole: make([]byte, size)}, nil
	}
	return m.blocks.Memory()
}

// copied reads blocks by system calls. It cannot reset a counter while the kernel counts: the most
// in flight is the maximum of the whole run.
type copied struct {
	blocks *ebpf.Map
	whole  []byte
}

func (c *copied) ReadAt(p []byte, at int64) (int, error) {
	number := uint32(at / size)
	if err := c.blocks.Lookup(&number, c.whole); err != nil {
		return 0, err
	}
	return copy(p, c.whole[at%size:]), nil
}

func (c *copied) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }

func (m *maps) close() (err error) {
	for _, one := range []*ebpf.Map{m.requests, m.owners, m.free, m.blocks} {
		if one != nil {
			err = errors.Join(err, one.Close())
		}
	}
	return err
}
