// Package post sends HTTP requests with JSON to the servers of a site. Credentials come from files,
// and are sent only to the address that they belong to. The size of answers is limited. Errors
// contain a hint and no secrets. Alerts and stores use the package.
package post
