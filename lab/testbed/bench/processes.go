//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Processes run at the same time until they are stopped.
type Processes struct {
	Log io.Writer
	all []*process

	// For functions that run inside this process, beside the commands.
	cancel context.CancelFunc
	inside sync.WaitGroup
}

type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error
}

// apart gives a command a process group of its own. The whole group can then be killed at once, and
// a ctrl-C for this program does not end the command.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// Start starts a command.
func (p *Processes) Start(args ...string) error {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = p.Log, p.Log
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	one := &process{cmd: cmd, ended: make(chan struct{})}
	go func() {
		one.err = cmd.Wait()
		close(one.ended)
	}()
	p.all = append(p.all, one)
	return nil
}

// Go runs a function until the processes are stopped.
func (p *Processes) Go(run func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	if before := p.cancel; before != nil {
		context.AfterFunc(ctx, before)
	}
	p.cancel = cancel
	p.inside.Go(func() { run(ctx) })
}

// Running returns an error if a process has ended by itself.
func (p *Processes) Running() error {
	for _, one := range p.all {
		select {
		case <-one.ended:
			return fmt.Errorf("the program \"%s\" has ended unexpectedly: %v", strings.Join(one.cmd.Args, " "), one.err)
		default:
		}
	}
	return nil
}

// stopTimeout is how long processes that were stopped may still run.
var stopTimeout = 10 * time.Second

// Stop sends the signal to all processes and waits until they have ended. It kills the processes that
// still run after stopTimeout, and does not wait for them: they may wait for a disk. Processes that
// must finish a file get SIGTERM, others SIGKILL.
func (p *Processes) Stop(signal syscall.Signal) {
	if p.cancel != nil {
		p.cancel()
		p.inside.Wait()
	}
	for _, one := range p.all {
		_ = syscall.Kill(-one.cmd.Process.Pid, signal) // the process may have ended
	}
	patience, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	for _, one := range p.all {
		select {
		case <-one.ended:
		case <-patience.Done():
			_ = syscall.Kill(-one.cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	p.all = nil
}

// Sleep waits for d, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Patiently calls try every second until it succeeds, at most 60 times.
func Patiently(ctx context.Context, try func() error) error {
	var err error
	for range 60 {
		if err = try(); err == nil {
			return nil
		}
		if err := Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return err
}

// Finish waits until all processes have ended. It returns an error if a process failed.
func (p *Processes) Finish(ctx context.Context) error {
	defer p.Stop(syscall.SIGKILL)
	for _, one := range p.all {
		select {
		case <-one.ended:
			if one.err != nil {
				return fmt.Errorf("%s: %w", strings.Join(one.cmd.Args, " "), one.err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
