// This file embeds the description of the API for programs, in OpenAPI 3.1. A test of package
// handler compares the description with real answers.

package api

import _ "embed"

// Description is the OpenAPI document of the API.
//
//go:embed openapi.yaml
var Description []byte
