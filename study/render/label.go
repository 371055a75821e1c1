// This file has the labels of figures in drawings, for text, pages and comparisons.

package render

import (
	"strconv"
	"strings"
)

// labels has the texts of shares next to their bars, by the name of the figure without its
// threshold.
var labels = map[string]string{
	"slow-hours":        "slow drive hours",
	"tail-hours":        "hours with a slow drive",
	"second-tail":       "hours with two slow drives",
	"third-tail":        "hours with three slow drives",
	"three-digits":      "drive hours with a slowdown of 100× to 999×",
	"four-digits":       "drive hours with a slowdown of 1,000× or more",
	"exact-ratios":      "slowdowns of exactly 1.5, 2 or 3",
	"exact-tail":        "hours in which the slowest drive has a slowdown of exactly 2×",
	"persist":           "slow periods that last longer than an hour",
	"persist-8h":        "slow periods of 8 hours or more",
	"again":             "slow hours that follow another slow hour within a day",
	"ever":              "drives that were ever slow",
	"often":             "among the drives that were ever slow: drives with 100 slow hours or more",
	"seldom":            "among the drives that were ever slow: drives with fewer than 5 slow hours",
	"busy-in-slow":      "slow hours in which the drive has twice the I/Os of its peers",
	"slow-in-busy":      "among the hours in which the drive has twice the I/Os of its peers: slow hours",
	"large-in-slow":     "slow hours in which the I/Os of the drive are twice as large as its peers' I/Os",
	"slow-in-large":     "among the hours in which the I/Os of the drive are twice as large as its peers' I/Os: slow hours",
	"complaints-dead":   "events \"not spinning\" or \"not responding\" followed by a slow hour",
	"complaints-lead":   "error events followed by a slow hour",
	"complaints-near":   "slow periods with an error event",
	"flash-slc":         "slow drive hours of SLC drives",
	"flash-mlc":         "slow drive hours of MLC drives",
	"worst-vendor":      "slow drive hours of the worst vendor",
	"fall-stable":       "hours without a slow drive in which the number of I/Os falls to half of the number in the hour before",
	"fall-tail":         "hours with a slow drive in which the number of I/Os falls to half of the number in the hour before",
	"unplugged-slow":    "slow periods that began at most a day before the drive was unplugged",
	"unplugged-mild":    "slow periods with a slowdown of 1.5 to 2× that began at most a day before the drive was unplugged",
	"replugged":         "unplugged drives that are plugged in again",
	"replugged-2h":      "drives plugged in again within 2 hours",
	"replugged-10h":     "drives plugged in again within 10 hours",
	"recur":             "drives plugged in again that become slow within a day",
	"saved-by-one":      "slow hours avoided if the slowest drive is left out",
	"saved-by-two":      "slow hours avoided if the two slowest drives are left out",
	"saved-by-own":      "slow hours avoided with the existing parity drives",
	"hazard-after-slow": "slow drives that are slow again in the next hour",
	"hazard-never":      "drives that become slow for the first time, per hour",
}

// label returns a few words for a figure, with its threshold. A figure without a text in labels
// gets the words of its name.
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
