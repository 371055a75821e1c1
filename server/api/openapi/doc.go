// Package openapi describes the API for programs, as OpenAPI 3.1. A test of package
// api/handler holds the description against what is answered.
package openapi
