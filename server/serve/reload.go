package serve

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/serve/config"
	"github.com/limpet-storage/limpet/topology"
)

// loadTopology reads a topology file; nil if name is empty.
func loadTopology(name string, report func(string)) (*topology.System, error) {
	if name == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a topology file")
	if err != nil {
		return nil, err
	}
	system, warnings, err := topology.Parse(name, data)
	for _, w := range warnings {
		report("topology: " + w.String())
	}
	return system, err
}

// loadPolicy reads a policy file; nil if name is empty.
func loadPolicy(name string) (*action.Policy, error) {
	if name == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(name, bounded.MaxYAML, "a policy file")
	if err != nil {
		return nil, err
	}
	return action.ParsePolicy(name, data)
}

// Reload reads configuration, topology, policy and users again. A file with errors changes nothing.
// The result lists the settings that need a restart.
func (s *Service) Reload(ctx context.Context) (api.Reloaded, error) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	out := api.Reloaded{Changed: []string{}, Restart: []string{}}
	next, err := s.o.Load()
	if err != nil {
		return out, &api.Refusal{Text: err.Error()}
	}
	p, err := s.prepare(&next)
	if (p.system == nil) == (next.Topology == "") { // otherwise, the topology cannot be read
		err = errors.Join(err, next.At(s.watch.Result().Accepts(p.system), "topology"))
	}
	if err != nil {
		return out, &api.Refusal{Text: err.Error()}
	}
	system, policy := p.system, p.policy
	if err := s.gate.Reload(); err != nil {
		return out, &api.Refusal{Text: err.Error()}
	}
	if err := s.reloadAlerts(ctx, &next, p.to, &out); err != nil {
		return out, &api.Refusal{Text: err.Error()}
	}
	if err := s.reloadJobs(&next, &out); err != nil {
		return out, &api.Refusal{Text: err.Error()}
	}
	if system != nil {
		s.watch.SetSystem(system)
		out.Changed = append(out.Changed, "the topology was read again")
	}
	if !reflect.DeepEqual(s.policy.Load(), policy) {
		s.policy.Store(policy)
		out.Changed = append(out.Changed, "the policy of actions was changed")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Restart = restarts(&s.config, &next)
	next.Listen, next.State, next.Directories, next.Diagnosis = s.config.Listen, s.config.State, s.config.Directories, s.config.Diagnosis
	next.Intake.Stores, next.Results = s.config.Intake.Stores, s.config.Results
	next.Push, next.History, next.Incidents = s.config.Push, s.config.History, s.config.Incidents
	s.config = next
	return out, nil
}

// reloadAlerts restarts the delivery of notifications if the receivers have changed.
func (s *Service) reloadAlerts(ctx context.Context, next *config.Config, to []alert.Address, out *api.Reloaded) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reflect.DeepEqual(s.config.Alerts, next.Alerts) {
		return nil
	}
	if s.outbox != nil {
		if err := s.outbox.Close(); err != nil {
			s.o.warn("the delivery of notifications with the previous settings ended with an error: " + err.Error())
		}
	}
	if err := s.startDelivery(ctx, to); err != nil { // the previous receivers remain
		return errors.Join(err, s.startDelivery(ctx, s.to))
	}
	o := next.Alerts.Options
	o.Receivers, o.Link, o.Statements = next.Alerts.Receivers(), linker(next), s.statements
	out.Changed = append(out.Changed, "the receivers of alerts were changed")
	return s.watch.SetAlerts(ctx, o)
}

// reloadJobs changes the endpoints that are scraped.
func (s *Service) reloadJobs(next *config.Config, out *api.Reloaded) error {
	if reflect.DeepEqual(s.config.Intake.Jobs, next.Intake.Jobs) {
		return nil
	}
	if s.intake == nil {
		out.Restart = append(out.Restart, "the configuration now names endpoints to scrape, but the server was started without endpoints: restart the server to scrape these endpoints")
		return nil
	}
	out.Changed = append(out.Changed, "the endpoints to scrape were changed")
	return s.intake.SetJobs(next.Intake.Jobs)
}

// restarts lists the changed settings that need a restart.
func restarts(was, next *config.Config) []string {
	list := []string{}
	for what, same := range map[string]bool{
		"listen":      was.Listen == next.Listen,
		"state":       was.State == next.State,
		"directories": reflect.DeepEqual(was.Directories, next.Directories),
		"diagnosis":   reflect.DeepEqual(was.Diagnosis, next.Diagnosis),
		"stores":      reflect.DeepEqual(was.Intake.Stores, next.Intake.Stores),
		"results":     reflect.DeepEqual(was.Results, next.Results),
		"push":        was.Push == next.Push,
		"history":     reflect.DeepEqual(was.History, next.History),
		"incidents":   reflect.DeepEqual(was.Incidents, next.Incidents),
		"access.tls":  reflect.DeepEqual(was.Access.TLS, next.Access.TLS),
		"topology":    (was.Topology == "") == (next.Topology == ""),
	} {
		if !same {
			list = append(list, "the setting \""+what+"\" of the configuration was changed: restart the server to use the new value")
		}
	}
	slices.Sort(list)
	return list
}

// Configuration returns the configuration of the server. It holds the names of files with secrets,
// but no secrets. Its settings of the diagnosis are the settings in use, as in the diagnosis itself:
// the lengths of windows are whole numbers of steps.
func (s *Service) Configuration() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := s.config.Shown()
	shown.Diagnosis = s.watch.Result().Subject.Options
	return shown
}

// backupPrefix is the beginning of the name of the directory into which a backup is copied.
const backupPrefix = ".backup-"

// removeBackups removes the copies that a killed server has left in the state directory.
func removeBackups(state string) error {
	entries, err := os.ReadDir(state)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), backupPrefix) {
			if err := os.RemoveAll(filepath.Join(state, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Backup writes an archive with all that is needed to continue on another machine: journal, ledger
// and history. If the server is killed, the copy remains, and removeBackups removes it at the next
// start.
func (s *Service) Backup(ctx context.Context, w io.Writer) error {
	s.mu.Lock()
	state := s.config.State
	s.mu.Unlock()
	dir, err := os.MkdirTemp(state, backupPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "limpet-"+s.o.Now().UTC().Format("20060102T150405Z"))
	err = s.watch.Backup(ctx, copied)
	if errors.Is(err, watch.ErrNoBackupYet) {
		return &api.Refusal{Text: err.Error()}
	}
	if err != nil {
		return err
	}
	if err := writeArchive(w, dir); err != nil {
		return fmt.Errorf("the backup cannot be written: %w", err)
	}
	return nil
}

// writeArchive writes the files below a directory into a tar archive. It cuts times to whole seconds:
// package tar would round them, and a file that was just written would have a time in the future.
func writeArchive(w io.Writer, dir string) error {
	archive := tar.NewWriter(w)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		header, err := tar.FileInfoHeader(info, "")
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		header.Name, header.ModTime = filepath.ToSlash(name), header.ModTime.Truncate(time.Second)
		if d.IsDir() {
			header.Name += "/"
		}
		if err := archive.WriteHeader(header); err != nil || d.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(archive, file)
		return err
	})
	return errors.Join(err, archive.Close())
}
