// Package version has the version of this program: the release, the commit, the version of
// Go and the platform.
//
// packaging/build.sh links the release and the commit into packages, from the tags of git.
// go build and go install take them from the module and the checkout.
package version
