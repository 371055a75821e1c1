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
	"three-digits":      "drive hours with a slowdown of 100× to 999×",
	"four-digits":       "drive hours with a slowdown of 1,000× or more",
	"exact-ratios":      "slowdowns of exactly 1.5, 2 or 3",
	"exact-tail":        "slowest drives with a slowdown of exactly 2×",
	"persist":           "slow periods that last longer than an hour",
	"persist-8h":        "slow periods of 8 hours or more",
	"again":             "slow hours that follow another slow hour within a day",
	"ever":              "drives that were ever slow",
	"often":             "drives with 100 slow hours or more, of all drives that were ever slow",
	"seldom":            "drives with fewer than 5 slow hours, of all drives that were ever slow",
	"busy-in-slow":      "slow hours in which the drive has twice the I/Os of its peers",
	"slow-in-busy":      "slow hours, of all hours in which the drive has twice the I/Os of its peers",
	"large-in-slow":     "slow hours in which the I/Os of the drive are twice as large as its peers' I/Os",
	"slow-in-large":     "slow hours, of all hours in which the I/Os of the drive are twice as large as its peers' I/Os",
	"complaints-dead":   "events \"not spinning\" or \"not responding\" followed by a slow hour",
	"complaints-lead":   "error events followed by a slow hour",
	"complaints-near":   "slow periods with an error event",
	"flash-slc":         "slow drive hours of SLC drives",
	"flash-mlc":         "slow drive hours of MLC drives",
	"worst-vendor":      "slow drive hours of the worst vendor",
	"fall-stable":       "hours without a slow drive in which the number of I/Os falls to half of the number in the hour before",
	"fall-tail":         "hours with a slow drive in which the number of I/Os falls to half of the number in the hour before",
	"unplugged-slow":    "slow periods after which the drive is unplugged within a day",
	"unplugged-mild":    "mild slow periods after which the drive is unplugged within a day",
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
