package scrape

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
)

// group is one entry of a file of Prometheus's file-based discovery. Such a file is
// YAML or JSON, and JSON is valid YAML. This is an example:
//
//   - targets: [fs1:9100, fs2:9100]
//     labels: {job: node, rack: a}
type group struct {
	Targets []string          `yaml:"targets"`
	Labels  map[string]string `yaml:"labels"`
}

// A target is one endpoint to scrape, and the labels that are added to its series.
type target struct {
	job    *Job
	url    *url.URL
	labels map[string]string
}

// key returns a string that is different for each target.
func (t *target) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\xff%s", t.job.Name, t.url)
	for _, name := range slices.Sorted(maps.Keys(t.labels)) {
		fmt.Fprintf(&b, "\xff%s\xff%s", name, t.labels[name])
	}
	return b.String()
}

// maxDiscovered is the largest size of a discovery file, in bytes. This is enough for more than ten
// thousand targets.
const maxDiscovered = 16 << 20

// targets returns the valid targets of a job, sorted by key. The second result lists the files that
// could not be read. The error names the invalid entries.
func (j *Job) targets() (list []target, failed []string, err error) {
	var errs []error
	add := func(address string, labels map[string]string) {
		u, err := j.address(address, labels)
		if err != nil {
			errs = append(errs, err)
			return
		}
		list = append(list, target{j, u, j.labelsOf(u, labels)})
	}
	for _, address := range j.Targets {
		add(address, nil)
	}
	for _, pattern := range j.Files {
		paths, err := filepath.Glob(pattern)
		if err == nil && len(paths) == 0 {
			err = fmt.Errorf("%s: this file does not exist: create the file, or remove this entry", pattern)
		}
		errs = append(errs, err)
		for _, path := range paths {
			groups, err := readGroups(path)
			if err != nil {
				errs, failed = append(errs, err), append(failed, path)
				continue
			}
			for _, g := range groups {
				for _, address := range g.Targets {
					add(address, g.Labels)
				}
			}
		}
	}
	return unique(list), failed, errors.Join(errs...)
}

// labelsOf returns the labels that are added to the series of a target. These are the labels of the
// job, and the target's own labels (the parameter `own`). If the job and the target have a label of
// the same name, the target's own label is used.
func (j *Job) labelsOf(u *url.URL, own map[string]string) map[string]string {
	labels := map[string]string{"job": j.Name, "instance": u.Host}
	maps.Copy(labels, j.Labels)
	maps.Copy(labels, own)
	maps.DeleteFunc(labels, func(name, _ string) bool { return strings.HasPrefix(name, "__") })
	return labels
}

func unique(list []target) []target {
	slices.SortStableFunc(list, func(a, b target) int { return cmp.Compare(a.key(), b.key()) })
	return slices.CompactFunc(list, func(a, b target) bool { return a.key() == b.key() })
}

func readGroups(path string) ([]group, error) {
	data, err := bounded.ReadFile(path, maxDiscovered, "a file of targets")
	if err != nil {
		return nil, err
	}
	var groups []group
	if err := yaml.Unmarshal(data, &groups); err != nil {
		return nil, fmt.Errorf("%s: %w: write a list of entries with \"targets\" and \"labels\", in the format of Prometheus", path, err)
	}
	return groups, nil
}
