// Package version returns the version of this program: the release, the commit, the version of
// Go and the platform.
//
// packaging/build.sh links the release and the commit into packages, from the tags of git.
// In other builds, they come from the module and the checkout.
package version
