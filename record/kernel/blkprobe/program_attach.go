//go:build linux

package blkprobe

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"
)

// attach loads the programs of a probe and has them called. A program stays
// loaded for as long as it is linked. All are loaded together, since each by
// itself would read the kernel's description of its types again.
func (m *maps) attach(by probe) (attached links, err error) {
	programs := ebpf.CollectionSpec{Programs: map[string]*ebpf.ProgramSpec{}}
	for _, h := range hooks {
		if (by.has(h.tracepoint) || !h.optional) && h.tracepoint != m.deaf {
			programs.Programs[h.tracepoint] = m.program(by, h)
		}
	}
	loaded, err := ebpf.NewCollectionWithOptions(&programs, ebpf.CollectionOptions{Programs: ebpf.ProgramOptions{LogDisabled: true}})
	if err != nil {
		return nil, short(err)
	}
	defer loaded.Close()
	for tracepoint, p := range loaded.Programs {
		l, err := linkTo(tracepoint, p)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", tracepoint, err), attached.close())
		}
		attached = append(attached, l)
	}
	return attached, nil
}

func (m *maps) program(by probe, h hook) *ebpf.ProgramSpec {
	p := program{maps: *m, probe: by}
	p.time()
	by.begin(&p, h.tracepoint)
	h.body(&p)
	spec := by.spec(h.tracepoint)
	spec.Name = strings.Replace(h.tracepoint, "block_rq", "limpet", 1)
	spec.License = "Dual MIT/GPL" // what the kernel lends its helpers to
	spec.Instructions = p.end()
	return spec
}

func linkTo(tracepoint string, p *ebpf.Program) (link.Link, error) {
	switch p.Type() {
	case ebpf.Tracing:
		return link.AttachTracing(link.TracingOptions{Program: p, AttachType: ebpf.AttachTraceRawTp})
	case ebpf.RawTracepoint:
		return link.AttachRawTracepoint(link.RawTracepointOptions{Name: tracepoint, Program: p})
	}
	return link.Tracepoint("block", tracepoint, p, nil)
}

// links are programs that are called.
type links []link.Link

func (l links) close() (err error) {
	for _, one := range l {
		err = errors.Join(err, one.Close())
	}
	return err
}

// A way makes probes of one kind, or says why this kernel has none.
type way func() ([]probe, error)

// ways are the kinds of probes, the quickest first. tracefs is touched only
// where nothing else works.
var ways = []way{byShape, byTracefs}

func byShape() ([]probe, error) {
	shape, err := kernelShape()
	return []probe{direct{shape}, raw{shape}}, err
}

func byTracefs() ([]probe, error) {
	s, err := openTracefs()
	return []probe{s}, err
}

func kernelShape() (*requestShape, error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return nil, fmt.Errorf("the kernel has no BTF type information, which the recorder needs: use a kernel with CONFIG_DEBUG_INFO_BTF (%w)", short(err))
	}
	return shapeOf(spec)
}

// explain returns an error of one line: why no program can be attached, and the cure.
func explain(err error) error {
	what := "the recorder cannot trace block requests with the BPF of this kernel"
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		what = "the kernel does not permit the recorder to trace block requests: give this process CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8), and turn off kernel lockdown"
		if text, _ := os.ReadFile("/sys/kernel/security/lockdown"); strings.Contains(string(text), "[confidentiality]") {
			what = "the kernel does not permit the recorder to trace block requests: kernel lockdown has the mode confidentiality"
		}
	case errors.Is(err, unix.ENOSYS):
		what = "the kernel was built without BPF (CONFIG_BPF_SYSCALL)"
	}
	return fmt.Errorf("%s: %s", what, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// short is an error without what the kernel logged of a program.
func short(err error) error {
	if v, ok := errors.AsType[*ebpf.VerifierError](err); ok {
		return v.Cause
	}
	return err
}

// start finds a way that works and has programs count. Its error is one line
// that says what is missing.
func start(o options) (*running, error) {
	if o.Processors == 0 {
		o.Processors = runtime.NumCPU()
	}
	_ = rlimit.RemoveMemlock() // kernels before 5.11 count maps against it; without, they say so
	m, err := newMaps(o)
	if err != nil {
		return nil, explain(short(err))
	}
	attached, name, err := m.attachAny(o.Way)
	debug.FreeOSMemory() // the description of the kernel's types is large, and needed once
	if err != nil {
		return nil, explain(errors.Join(err, m.close()))
	}
	memory, err := m.memory()
	if err != nil {
		return nil, explain(errors.Join(err, attached.close(), m.close()))
	}
	return &running{Way: name, Memory: memory, close: func() error { return errors.Join(attached.close(), m.close()) }}, nil
}

// attachAny attaches the programs of the first probe that works, or of the one
// of a name.
func (m *maps) attachAny(only string) (attached links, name string, err error) {
	for _, w := range ways {
		probes, whyNot := w()
		if whyNot != nil {
			err, probes = errors.Join(err, whyNot), nil
		}
		for _, by := range probes {
			if only != "" && only != by.name() {
				continue
			}
			attached, whyNot := m.attach(by)
			if whyNot == nil {
				return attached, by.name(), nil
			}
			err = errors.Join(err, fmt.Errorf("%s: %w", by.name(), whyNot))
		}
	}
	return nil, "", err
}
