package evaluate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// A file of labels of PERSEUS names the drives that operators confirmed as slow, from their first
// to their last sample:
//
//	cluster,host_name,workload,disk_id
//	cluster_A,host_22,e-commerce,disk11

// labelColumns are the columns that a file of labels must have.
var labelColumns = []string{"cluster", "host_name", "disk_id"}

// slowDrive is the only kind of fault in labels.
const slowDrive simulate.Kind = "slow drive"

// ParseLabels reads the labels of one cluster as a truth without times; name is the name of the
// file in errors. A cluster without a label has no faults.
func ParseLabels(name string, data []byte, cluster string) (*simulate.Truth, error) {
	r := csv.NewReader(bytes.NewReader(data))
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("file %s is empty: its first line must name the columns %s", name, strings.Join(labelColumns, ", "))
	}
	var at [3]int
	for i, column := range labelColumns {
		if at[i] = slices.Index(lines[0], column); at[i] < 0 {
			return nil, fmt.Errorf("%s:1: the column %s is missing: a file of labels needs the columns %s", name, column, strings.Join(labelColumns, ", "))
		}
	}
	truth := &simulate.Truth{System: cluster}
	for _, line := range lines[1:] {
		if line[at[0]] == cluster {
			truth.Faults = append(truth.Faults, simulate.Fault{Kind: slowDrive, Component: line[at[1]] + "/" + line[at[2]]})
		}
	}
	return truth, nil
}

// LabelledClusters returns the clusters in a file of labels, sorted.
func LabelledClusters(data []byte) []string {
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil
	}
	at := slices.Index(lines[0], labelColumns[0])
	if at < 0 {
		return nil
	}
	var names []string
	for _, line := range lines[1:] {
		names = append(names, line[at])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
