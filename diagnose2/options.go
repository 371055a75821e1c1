package diagnose

import "github.com/limpet-storage/limpet/detect"

// Options are the settings of a diagnosis.
type Options struct {
	// Method is the preset that the options began as: default, l13, f10 or
	// servers.
	Method  string         `json:"method"`
	Detect  detect.Options `json:"detect"`
	Metrics []string       `json:"metrics"` // that components are judged by; L13 lists on await
	Top     int            `json:"top"`     // lines of a list
}
