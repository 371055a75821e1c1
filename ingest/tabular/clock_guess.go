package tabular

import (
	"fmt"
	"strings"
	"time"
)

// habits lists usual formats of times in tables. Formats of dates such as 05/09/2026 come
// in pairs: the first format has the month first, the second format has the day first.
var habits = []string{
	"%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%y %H:%M:%S", "%d.%m.%y %H:%M", "%d.%m.%Y",
	"%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M", "%m/%d/%Y %I:%M:%S %p", "%d/%m/%Y %I:%M:%S %p",
	"%m/%d/%y %H:%M:%S", "%d/%m/%y %H:%M:%S", "%m/%d/%y %H:%M", "%d/%m/%y %H:%M", "%m/%d/%Y", "%d/%m/%Y",
	"%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M:%S %Z", "%Y-%m-%dT%H:%M:%S%z",
	"%d-%m-%Y %H:%M:%S", "%d-%b-%Y %H:%M:%S", "%d %b %Y %H:%M:%S", "%Y%m%d %H:%M:%S", "%Y%m%d-%H%M%S",
	"%a %b %e %H:%M:%S %Y", "%a %b %e %H:%M:%S %Z %Y", "%b %e %Y %H:%M:%S",
}

// GuessFormats returns the formats that fit a text. If the text does not show whether the day or
// the month comes first, GuessFormats returns two formats. In the first of them the month comes
// first.
func GuessFormats(text string) (formats []string) {
	text = strings.TrimSpace(text)
	for _, format := range habits {
		layout, err := layoutOf(format)
		if err != nil {
			continue
		}
		if _, err := time.Parse(layout, text); err == nil {
			formats = append(formats, format)
		}
	}
	return formats
}

// formatHint returns advice to write the format of times in the description. The advice names the
// formats that fit the given text. The advice is empty if no format fits.
func formatHint(text string) string {
	switch formats := GuessFormats(text); len(formats) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("write the format of the time, probably %q", formats[0])
	default:
		return fmt.Sprintf("write the format of the time, probably %q, or %q if the day is first", formats[0], formats[1])
	}
}
