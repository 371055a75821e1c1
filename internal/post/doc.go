// Package post sends HTTP requests with JSON to the servers of a site. Credentials come
// from files and go only to the address that they belong to; answers are bounded; an
// error has the cure and no secret. Alerts and stores use it.
package post
