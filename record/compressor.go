package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"

	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// A compressor is one way of keeping closed files.
type compressor struct {
	pack   func(ctx context.Context, dst io.Writer, src io.Reader) error
	unpack func(src io.Reader) (io.ReadCloser, error)
}

var compressors = map[string]compressor{
	Zstd: {packZstd, unpackZstd},
	XZ:   {packXZ, unpackXZ},
}

// window holds a hundred records of 72 disks: what resembles a record are
// the few before it, and memory is the server's.
const window = 1 << 20

// mostWindow is as far as any file of a recorder looks back: one that claims
// more is not a recorder's.
const mostWindow = 8 << 20

// packZstd uses the fastest level; slower ones gain nothing on counters. It
// encodes in this goroutine, whose thread has the low priority.
func packZstd(_ context.Context, dst io.Writer, src io.Reader) error {
	w, err := zstd.NewWriter(dst, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, src); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

func unpackZstd(src io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// packXZ has xz do it, at the level beyond which counters gain nothing. The
// process inherits the priority of the thread that starts it.
func packXZ(ctx context.Context, dst io.Writer, src io.Reader) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "xz", "--stdout", "--threads=1", "-1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = src, dst, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the program xz failed: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}

func unpackXZ(src io.Reader) (io.ReadCloser, error) {
	r, err := xz.NewReader(src, 0)
	return io.NopCloser(r), err
}
