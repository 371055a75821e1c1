package tool

import "strings"

// parseBanner reads the first line that tools of sysstat print:
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
func parseBanner(line string) (host, date string, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || !strings.HasPrefix(f[2], "(") || !strings.HasSuffix(f[2], ")") {
		return "", "", false
	}
	return strings.Trim(f[2], "()"), f[3], true
}
