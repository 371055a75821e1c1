package persistence

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// modelFile is the content of a model file: JSON, with a checksum over the whole model. Without the
// checksum, a threshold that was changed by hand or by a failing disk would make the wrong
// components anomalous.
//
//	{
//	 "options": {…},
//	 "groups": [{"group": "old/1", "metric": "await", "windows": 95, "typical": 0.1, "median": 0.4,
//	   "thresholds": {"21.34.124": 0.5}}],
//	 "sha256": "0d6e…"
//	}
type modelFile struct {
	Model
	Sum string `json:"sha256"`
}

// sum returns the checksum of the options and groups, as JSON without spaces and with
// sorted keys.
func (m *Model) sum() (string, error) {
	data, err := json.Marshal(m)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// Hash returns the first 16 digits of the checksum, or "" for a nil model. Two different
// models have different hashes.
func (m *Model) Hash() string {
	if m == nil {
		return ""
	}
	const short = 16
	sum, err := m.sum()
	if err != nil { // a threshold is infinite or NaN, which JSON cannot write
		return err.Error()
	}
	return sum[:short]
}

// Write writes the file that ParseModel reads.
func (m *Model) Write(w io.Writer) error {
	sum, err := m.sum()
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(modelFile{*m, sum})
}

// ParseModel reads a model file. Errors begin with the given name of the file.
func ParseModel(name string, data []byte) (*Model, error) {
	f := &modelFile{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("%s is not a model of limpet train: %w", name, err)
	}
	sum, err := f.sum()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is not a model of limpet train: %w", name, err)
	case f.Sum == "":
		err = errors.New("the file has no checksum")
	case f.Sum != sum:
		err = errors.New("the checksum is wrong: the file was changed after the training")
	default:
		err = f.checkThresholds()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; train the model again", name, err)
	}
	return &f.Model, nil
}

// checkThresholds returns an error if a threshold is NaN or negative, because no training gives
// such a threshold.
func (m *Model) checkThresholds() error {
	for i := range m.Groups {
		g := &m.Groups[i]
		wrong := math.IsNaN(g.Median) || g.Median < 0
		for _, threshold := range g.Thresholds {
			wrong = wrong || math.IsNaN(threshold) || threshold < 0
		}
		if wrong {
			return fmt.Errorf("group %s has a threshold below zero for metric %s: train the model again", g.Group, g.Metric)
		}
	}
	return nil
}
