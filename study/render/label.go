// This file writes the numbers of a study for people: with their units, as many digits as
// are significant, and their intervals. Text, pages and comparisons all use it.

package render

import (
	"strconv"
	"strings"
)

// labels are what shares are called beside their bars, by the names of figures
// without their threshold.
var labels = map[string]string{
	"slow-hours":        "slow drive hours",
	"tail-hours":        "hours with a slow drive",
	"second-tail":       "hours with two slow drives",
	"third-tail":        "hours with three slow drives",
	"three-digits":      "drive hours 100 to 999 times slow",
	"four-digits":       "drive hours 1,000 times slow or more",
	"exact-ratios":      "slowdowns of exactly 1.5, 2 or 3",
	"exact-tail":        "slowest drives at exactly 2×",
	"persist":           "slow runs that continue after an hour",
	"persist-8h":        "slow runs of 8 hours or more",
	"again":             "slow hours within a day of another",
	"ever":              "drives that were ever slow",
	"often":             "of these, slow for 100 hours or more",
	"seldom":            "of these, slow for fewer than 5 hours",
	"busy-in-slow":      "slow hours with twice the I/Os",
	"slow-in-busy":      "hours with twice the I/Os that are slow",
	"large-in-slow":     "slow hours with I/Os of twice the size",
	"slow-in-large":     "hours with I/Os of twice the size that are slow",
	"complaints-dead":   "not spinning or responding, then slow",
	"complaints-lead":   "error events followed by a slow hour",
	"complaints-near":   "slow runs with an error event",
	"flash-slc":         "slow drive hours, SLC",
	"flash-mlc":         "slow drive hours, MLC",
	"worst-vendor":      "slow drive hours, worst vendor",
	"fall-stable":       "I/Os halve, hours without a slow drive",
	"fall-tail":         "I/Os halve, hours with a slow drive",
	"unplugged-slow":    "slow runs, unplugged within a day",
	"unplugged-mild":    "mild slow runs, unplugged within a day",
	"replugged":         "unplugged drives plugged in again",
	"replugged-2h":      "of these, within 2 hours",
	"replugged-10h":     "of these, within 10 hours",
	"recur":             "plugged in again and slow within a day",
	"saved-by-one":      "slow hours saved without the slowest drive",
	"saved-by-two":      "slow hours saved without the two slowest drives",
	"saved-by-own":      "slow hours saved with the existing parity",
	"hazard-after-slow": "slow again in the next hour",
	"hazard-never":      "first slow hour of a drive, in any hour",
}

// label is a few words for a figure. What has none is called by its name.
func label(name string) string {
	stem, at := name, ""
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.ParseFloat(name[i+1:], 64); err == nil {
			stem, at = name[:i], " at "+name[i+1:]+"×"
		}
	}
	if words, ok := labels[stem]; ok {
		return words + at
	}
	return strings.ReplaceAll(stem, "-", " ") + at
}
