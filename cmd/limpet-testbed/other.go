//go:build !linux

package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
)

// check returns an error: only Linux can run clusters.
func (*options) check(context.Context) error {
	return fmt.Errorf("the test bench was skipped, because %s has no network namespaces: use Linux", runtime.GOOS)
}

func (o *options) record(ctx context.Context) error { return o.check(ctx) }

func (o *options) loop(ctx context.Context) error { return o.check(ctx) }

func (o *options) down(ctx context.Context) error { return o.check(ctx) }

func inner(ctx context.Context, _ string, _ []string, _ io.Writer) error {
	return new(options).check(ctx)
}
