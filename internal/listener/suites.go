package listener

import (
	"crypto/tls"
	"slices"
	"strings"
)

// Suites returns the cipher suites of TLS 1.2 that servers accept: with a new key for each
// connection (ECDHE) and with authenticated encryption. It leaves out suites with CBC and SHA-1,
// which Go accepts by default. All suites of TLS 1.3 are good.
func Suites() []uint16 {
	var list []uint16
	for _, s := range tls.CipherSuites() {
		isSealed := strings.Contains(s.Name, "_GCM_") || strings.Contains(s.Name, "_CHACHA20_")
		if isSealed && strings.HasPrefix(s.Name, "TLS_ECDHE_") && slices.Contains(s.SupportedVersions, tls.VersionTLS12) {
			list = append(list, s.ID)
		}
	}
	return list
}
