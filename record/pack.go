package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// A packing is the compression of one file. A crash between any two steps leaves the file itself or
// its verified replacement, or both. If the file exists, the next keeper begins again.
type packing struct {
	keeper *keeper
	ctx    context.Context
	src    *os.File
	dst    *os.File
	path   string // path of the compressed file
	sum    []byte // SHA-256 of src
}

// pack compresses a file, verifies the result, and replaces the file by the result.
func (k *keeper) pack(ctx context.Context, path string) error {
	src, err := openLocked(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer src.Close()
	p := &packing{keeper: k, ctx: ctx, src: src, path: path + "." + k.opts.Compress}
	if p.dst, err = createOwn(dayfile.PartPath(p.path)); err != nil {
		return err
	}
	defer p.dst.Close()
	if err := p.run(); err != nil {
		return errors.Join(err, ignoreAbsent(os.Remove(dayfile.PartPath(p.path))))
	}
	return nil
}

func (p *packing) run() error {
	steps := []struct {
		name string
		do   func() error
	}{
		{"compress", p.compress},
		{"sync", p.sync},
		{"verify", p.verify},
		{"rename", p.rename},
		{"sync directory", p.syncDir},
		{"remove", p.remove},
	}
	for _, s := range steps {
		p.keeper.reached(s.name)
		if err := s.do(); err != nil {
			return fmt.Errorf("file %s cannot be compressed (step: %s): %w", p.src.Name(), s.name, err)
		}
	}
	p.keeper.reached("end")
	return nil
}

func (p *packing) compress() error {
	sum := sha256.New()
	src := io.TeeReader(p.throttle(p.src), sum)
	if err := compressors[p.keeper.opts.Compress].pack(p.ctx, p.dst, src); err != nil {
		return err
	}
	p.sum = sum.Sum(nil)
	uncache(p.src)
	return nil
}

// sync writes the result to the disk, and drops it from the page cache. So verify reads from the
// disk.
func (p *packing) sync() error {
	info, err := p.src.Stat()
	if err != nil {
		return err
	}
	if err := setTime(p.dst, info.ModTime()); err != nil {
		return err
	}
	err = p.dst.Sync()
	uncache(p.dst)
	return err
}

// verify reads the result back, in the same way as a later reader.
func (p *packing) verify() error {
	if _, err := p.dst.Seek(0, io.SeekStart); err != nil {
		return err
	}
	plain, err := compressors[p.keeper.opts.Compress].unpack(p.dst)
	if err != nil {
		return err
	}
	defer plain.Close()
	sum := sha256.New()
	if err := readAll(io.TeeReader(p.throttle(plain), sum), p.src.Name()); err != nil {
		return err
	}
	uncache(p.dst)
	return p.compare(sum)
}

func (p *packing) compare(sum hash.Hash) error {
	if !bytes.Equal(sum.Sum(nil), p.sum) {
		return errors.New("the compressed file differs from the original file: test the memory and the disk of this machine")
	}
	return nil
}

// readAll reads an activity file to its end.
func readAll(src io.Reader, name string) error {
	r, err := sysstat.NewReader(src, name)
	if err != nil {
		return err
	}
	defer r.Close()
	for err == nil {
		_, err = r.Next()
	}
	if err != io.EOF {
		return err
	}
	_, err = io.Copy(io.Discard, src)
	return err
}

func (p *packing) rename() error {
	if !stillNamed(p.dst, p.dst.Name()) {
		return errForeign
	}
	return os.Rename(p.dst.Name(), p.path)
}

func (p *packing) syncDir() error {
	return syncDir(filepath.Dir(p.path))
}

func (p *packing) remove() error {
	if !stillNamed(p.src, p.src.Name()) {
		return errForeign
	}
	return os.Remove(p.src.Name())
}

func (p *packing) throttle(src io.Reader) io.Reader {
	return &throttled{p.ctx, src, int64(p.keeper.opts.CompressMB) * 1e6}
}

func ignoreAbsent(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
