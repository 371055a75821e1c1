package serve

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/store/results"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/server/serve/config"
	"github.com/limpet-storage/limpet/topology"
)

// prepared holds what a configuration names: the contents of files, and what is made of them. A
// service is opened and reloaded with these values, so that it cannot accept a configuration that
// [Check] refuses.
type prepared struct {
	system *topology.System // nil: no topology file
	policy *action.Policy   // nil: no policy file
	to     []alert.Address  // receivers of notifications
	gate   *access.Gate
	tls    *tls.Config // nil: no encryption
}

// Check returns all mistakes for which [Open] would refuse a configuration, each with its line of
// the configuration file. It reads the files that the configuration names. It writes nothing, opens
// no connection, and does not read the saved state.
func Check(c config.Config, o Options) error {
	s := &Service{o: o, config: c}
	_, err := s.prepare(&c)
	return err
}

// Remarks returns what an operator should know about a configuration that has no mistakes: [Open]
// waits for directories that do not exist, because they may be mounted later.
func Remarks(c *config.Config) (list []string) {
	for i, dir := range c.Directories {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			list = append(list, c.At(errors.New(activity.TextNotThere(dir)), "directories", strconv.Itoa(i)).Error())
		}
	}
	return list
}

// CheckRest adds to the mistakes of a file that cannot be parsed the mistakes that [Check] finds on
// other lines, so that one run shows all.
func CheckRest(parsed error, c config.Config, o Options) error {
	all := mistakes(parsed)
	lines, texts := map[string]bool{"": true}, ""
	for _, err := range all {
		lines[placeOf(err)] = true
		texts += textOf(err) + "\n"
	}
	isKnown := func(err error) bool { // options of the watch check values again that the parser has checked
		return lines[placeOf(err)] || strings.Contains(texts, textOf(err))
	}
	s := &Service{o: o, config: c}
	_, errs := s.prepareAll(&c)
	for _, err := range errs {
		all = append(all, errors.Join(slices.DeleteFunc(mistakes(err), isKnown)...))
	}
	return inOrder(all)
}

// mistakes returns the single errors of an error that joins several.
func mistakes(err error) (all []error) {
	if err == nil {
		return nil
	}
	list, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, one := range list.Unwrap() {
		all = append(all, mistakes(one)...)
	}
	return all
}

// placeOf returns the file and the line of an error; empty: the error has no line.
func placeOf(err error) string {
	if line, ok := errors.AsType[*yamlfile.LineError](err); ok {
		return fmt.Sprintf("%s:%d", line.File, line.Line)
	}
	return ""
}

// textOf returns the text of an error without the line of the file.
func textOf(err error) string {
	if line, ok := errors.AsType[*yamlfile.LineError](err); ok {
		return line.Text
	}
	return err.Error()
}

// prepare reads and checks all that a configuration names. It has no effect outside this process.
func (s *Service) prepare(c *config.Config) (*prepared, error) {
	p, errs := s.prepareAll(c)
	return p, inOrder(errs)
}

// inOrder joins errors in the order of their lines.
func inOrder(errs []error) error {
	errs = slices.Clone(errs)
	slices.SortStableFunc(errs, func(a, b error) int { return cmp.Compare(lineOf(a), lineOf(b)) })
	return errors.Join(errs...)
}

func (s *Service) prepareAll(c *config.Config) (*prepared, []error) {
	p, errs := s.prepareDiagnosis(c)
	note := func(err error, setting ...string) { errs = append(errs, c.At(err, setting...)) }
	note(checkListen(c), "listen")
	note(checkState(c), "state")
	if c.Cluster != nil {
		note(s.checkActs(c, p.policy), "policy")
		note(c.Cluster.Validate(), "cluster")
		note(c.Cluster.NATS.CheckFiles(), "cluster")
	} else {
		o := s.watchOptions(c, p.system)
		if takesIn(c) {
			o.Paths = append(o.Paths[:len(o.Paths):len(o.Paths)], intakeDir) // not created yet
		}
		note(o.Validate(), "directories")
	}
	if takesIn(c) {
		o := s.intakeOptions(c)
		note(o.Validate(), "push")
	}
	if c.Results != nil {
		_, err := results.New(*c.Results, nil, s.o.Now)
		note(err, "results")
	}
	var err error
	gate := c.Access.Gate
	gate.Now, gate.AnyHost = s.o.Now, gate.AnyHost || c.Access.InsecureOpenToNetwork
	p.gate, err = access.NewGate(gate)
	note(err, "access", "users")
	if c.Access.TLS.On() {
		p.tls, err = c.Access.TLS.Config(s.o.Now, s.apiError)
		note(err, "access", "tls")
	}
	return p, errs
}

// lineOf returns the line of the first mistake in an error; 0: the error has no line.
func lineOf(err error) int {
	if line, ok := errors.AsType[*yamlfile.LineError](err); ok {
		return line.Line
	}
	return 0
}

// prepareDiagnosis reads and checks what a diagnosis and its notifications need.
func (s *Service) prepareDiagnosis(c *config.Config) (p *prepared, errs []error) {
	p = &prepared{}
	var err error
	p.system, err = loadTopology(c.Topology, s.o.warn)
	errs = append(errs, c.At(err, "topology"))
	p.policy, err = loadPolicy(c.Policy)
	errs = append(errs, c.At(err, "policy"))
	process := config.Process{Now: s.o.Now, Stdout: s.o.Stdout, Stderr: s.o.Stderr, State: c.State}
	for i, receiver := range c.Alerts.To {
		r := receiver.Notified()
		sender, err := receiver.Sender(process)
		if err != nil {
			errs = append(errs, c.ReceiverAt(fmt.Errorf("alerts: receiver %s: %w", r.Name, err), i))
			continue
		}
		p.to = append(p.to, alert.Address{Receiver: r, Sender: sender})
	}
	return p, errs
}

// checkListen returns an error if the server cannot or must not listen at the address of a
// configuration. It does not check whether the address is in use.
func checkListen(c *config.Config) error {
	if err := access.CheckAddress(c.Listen, c.Protection()); err != nil {
		return err
	}
	socket, ok := strings.CutPrefix(c.Listen, "unix:")
	if !ok {
		return nil
	}
	if info, err := os.Lstat(socket); err == nil && info.Mode()&os.ModeSocket == 0 {
		return fmt.Errorf("listen: %s is not a socket; name another path", socket)
	}
	if err := outfile.CheckNew(socket, c.State); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return nil
}

// checkState returns an error if the directory of the saved state is not a directory, or has other
// files and no saved state. Files that the configuration names are no other files.
func checkState(c *config.Config) error {
	if info, err := os.Stat(c.State); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory; name the directory of the saved state", c.State)
	}
	return watch.CheckStateDir(c.State, c.Names)
}
