package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid/replay"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
)

// delayFlags holds --delay, which describes how members are slowed down.
type delayFlags struct{ text string }

func (f *delayFlags) bind(cmd *cobra.Command, text string) {
	cmd.Flags().StringVar(&f.text, "delay", text, "`HOW` members are slowed down: none, rare or periodic (settings may follow, as in periodic:slow=5), a CSV file with the two columns slowdown and share, or a JSON result of limpet study")
}

var delayKinds = []replay.Kind{replay.KindNone, replay.KindRare, replay.KindPeriodic, replay.KindQuantiles}

// distribution returns the distribution that the text of the flag describes, or that the named file
// holds. If the text has no seed, the distribution gets seed.
func (f *delayFlags) distribution(seed uint64) (replay.Distribution, error) {
	name, rest, _ := strings.Cut(f.text, ":")
	if slices.Contains(delayKinds, replay.Kind(name)) {
		d, err := replay.Parse(f.text)
		if !strings.Contains(rest, "seed=") {
			d.Seed = seed
		}
		return d, err
	}
	q, err := readSlowdowns(f.text)
	if errors.Is(err, fs.ErrNotExist) {
		return replay.Distribution{}, fmt.Errorf("--delay %q is unknown: name a file, or use one of %s", f.text, strings.Join(texts(delayKinds), ", "))
	}
	d := replay.FromQuantiles(q)
	d.Seed = seed
	return d, err
}

// readSlowdowns reads quantiles of slowdowns from a table or from the result of a study.
func readSlowdowns(path string) (replay.Quantiles, error) {
	data, err := bounded.ReadFile(path, bounded.MaxResult, "a table of slowdowns")
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return replay.ReadQuantiles(path, bytes.NewReader(data))
	}
	result, err := render.Parse(path, data)
	if err != nil {
		return nil, err
	}
	for _, part := range result.Parts {
		for _, chart := range part.Charts {
			if chart.Name == "slowdown-cdf" && len(chart.Curves) > 0 {
				return slowdownsOf(chart.Curves[0], float64(part.DriveHours)), nil
			}
		}
	}
	return nil, fmt.Errorf("%s: this result of limpet study does not state how slow the drives were: give another result", path)
}

// thinner is the largest ratio of the shares of two neighbouring quantiles. It keeps the list
// short: a study has hundreds of bins, and the quantiles must fit in one line of text.
const thinner = 0.8

// short rounds x to 4 digits. The figures of a study are not more precise.
func short(x float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // the text is always a number
	return v
}

// slowdownsOf returns quantiles from a curve of the share of hours below each slowdown. It leaves
// out bins above the slowest drive hour.
func slowdownsOf(below study.Curve, hours float64) replay.Quantiles {
	var q replay.Quantiles
	for _, p := range below.Points {
		share := 1 - p.Y
		if p.X < 1 || share*hours < 0.5 {
			continue
		}
		if n := len(q); n == 0 || p.X > q[n-1].Slowdown && share <= thinner*q[n-1].Share {
			q = append(q, replay.Quantile{Slowdown: short(p.X), Share: short(share)})
		}
	}
	return q
}
