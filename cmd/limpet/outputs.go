package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// An output is a file that a flag asks for; where it names none, there is
// nothing to write.
type output struct {
	flag, path string
	write      func(io.Writer) error
}

// foresee finds two flags that name one file, and warns of files that cannot
// be written before hours are spent. It is no more than a warning: what the
// command finds out is printed all the same, and then the error. The context
// of the command keeps which files were warned of, so that the error does not
// repeat the warning.
func foresee(cmd *cobra.Command, outputs ...output) error {
	flags, warned := map[string]string{}, map[string]bool{}
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		if other, twice := flags[o.path]; twice && !isDevice(o.path) {
			return usageError{fmt.Errorf("--%s and --%s both name the file %s: name two different files", other, o.flag, o.path)}
		}
		flags[o.path] = o.flag
		if err := outfile.Check(o.path); err != nil {
			printWarnings(cmd.ErrOrStderr(), []string{err.Error()})
			warned[o.path] = true
		}
	}
	if len(warned) > 0 {
		cmd.SetContext(context.WithValue(cmd.Context(), warnedKey{}, warned))
	}
	return nil
}

// warnedKey is the key of the files that foresee has warned of, in a context.
type warnedKey struct{}

// isDevice says whether a path is no file, but takes all that is written.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// writeOutputs writes all files that can be written. It comes after the text
// on standard output, which no file may cost.
func writeOutputs(ctx context.Context, outputs ...output) error {
	var errs []error
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		err := outfile.Write(ctx, o.path, o.write)
		if warned, _ := ctx.Value(warnedKey{}).(map[string]bool); err != nil && warned[o.path] {
			err = fmt.Errorf("%s was not written; the first warning states the reason", o.path)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
