// This file describes the API for programs, as OpenAPI 3.1. A test of package
// api/handler holds the description against what is answered.

package api

import _ "embed"

// Description is the document that a server hands out.
//
//go:embed openapi.yaml
var Description []byte
