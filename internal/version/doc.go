// Package version says what was built: which version, of which commit, with which
// Go, for which platform.
//
// Packages are linked with the first two (packaging/build.sh), from the tags of
// git. What go build or go install made knows them from the module and the checkout.
package version
