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

// A compressor compresses and decompresses closed files in one format.
type compressor struct {
	pack   func(ctx context.Context, dst io.Writer, src io.Reader) error
	unpack func(src io.Reader) (io.ReadCloser, error)
}

var compressors = map[string]compressor{
	Zstd: {packZstd, unpackZstd},
	XZ:   {packXZ, unpackXZ},
}

// window is the window of zstd. It holds a hundred records of 72 disks. A record resembles only the
// few records before it, and a larger window would take memory from the file server.
const window = 1 << 20

// mostWindow is larger than the window of any file that a recorder has written. A file with a
// larger window is not from a recorder.
const mostWindow = 8 << 20

// packZstd uses the fastest level, because counters do not become smaller at slower levels. It
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

// packXZ runs the program xz at level 1, because counters do not become smaller at higher levels.
// The process inherits the priority of the thread that starts it.
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
