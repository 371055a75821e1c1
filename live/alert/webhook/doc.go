// Package webhook tells alerts to an HTTP receiver, one notification a request, in
// order, each until it is acknowledged with 2xx.
//
// The body is the JSON of a notification. Three headers come with it: the key of
// the notification, which is the same whenever the same one is sent again; a
// timestamp; and a signature of timestamp and body with a secret that both sides
// know, so that nobody else can make up an alert or send an old one again.
package webhook
