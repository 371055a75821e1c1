package openapi

import _ "embed"

// Description is the document that a server hands out.
//
//go:embed openapi.yaml
var Description []byte
