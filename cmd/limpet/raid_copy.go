package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid"
)

// copyStep is how much is copied at once: as many stripes of eight members as
// a batch may have, and a whole number of stripes for most arrays.
const copyStep = 4 << 20

type raidCopyFlags struct {
	raidFlags
	offset, length byteSize
}

func newRaidRead() *cobra.Command {
	var f raidCopyFlags
	cmd := &cobra.Command{
		Use:   "read MEMBER...",
		Short: "write what an array holds to standard output",
		Example: `  limpet raid read d0 d1 d2 d3 p q > image
  limpet raid read --offset 1M --length 4K --degraded d0 missing d2 d3 p q | hexdump -C`,
		Args: raidMembers,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.use(cmd, paths, func(a *raid.Array) error { return f.read(cmd, a) })
		},
	}
	f.bind(cmd)
	f.bindPolicy(cmd)
	cmd.Flags().Var(&f.offset, "offset", "where to begin")
	cmd.Flags().Var(&f.length, "length", "how much to read (default to the end)")
	return cmd
}

func (f *raidCopyFlags) read(cmd *cobra.Command, a *raid.Array) error {
	length := a.Size() - int64(f.offset)
	if cmd.Flags().Changed("length") {
		length = int64(f.length)
	}
	if length < 0 || int64(f.offset) > a.Size()-length {
		return usageError{fmt.Errorf("%d bytes at %d: the array has %d", length, f.offset, a.Size())}
	}
	show, end := percent(cmd)
	defer end()
	from := io.NewSectionReader(a, int64(f.offset), length)
	_, err := copyAll(cmd.Context(), cmd.OutOrStdout(), from, func(done int64) { show(done, length) })
	return err
}

func newRaidWrite() *cobra.Command {
	var f raidCopyFlags
	cmd := &cobra.Command{
		Use:   "write MEMBER...",
		Short: "write standard input to an array",
		Long: `Write standard input to an array, durably. Killed at any point, it leaves each
stripe as it was or as it was to be.`,
		Example: `  limpet raid write d0 d1 d2 d3 p q < image`,
		Args:    raidMembers,
		RunE: func(cmd *cobra.Command, paths []string) error {
			return f.use(cmd, paths, func(a *raid.Array) error { return f.write(cmd, a) })
		},
	}
	f.bind(cmd)
	cmd.Flags().Var(&f.offset, "offset", "where to begin")
	return cmd
}

func (f *raidCopyFlags) write(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	defer end()
	to := io.NewOffsetWriter(a, int64(f.offset))
	n, err := copyAll(cmd.Context(), to, cmd.InOrStdin(), func(done int64) { show(done, a.Size()-int64(f.offset)) })
	if err != nil {
		return fmt.Errorf("after %d bytes: %w", n, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d bytes written at %d\n", n, int64(f.offset))
	return nil
}

// copyAll copies in long steps until the end or until it is interrupted.
func copyAll(ctx context.Context, w io.Writer, r io.Reader, show func(done int64)) (done int64, err error) {
	buf := make([]byte, copyStep)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return done, err
			}
			done += int64(n)
			show(done)
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return done, nil
		case err != nil:
			return done, err
		case ctx.Err() != nil:
			return done, errors.New("interrupted")
		}
	}
}
