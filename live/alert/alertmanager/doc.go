// Package alertmanager tells alerts to a Prometheus Alertmanager, by its API v2.
//
// Alertmanager knows an alert by its labels, groups and silences by them, and
// forgets one that is not repeated. So everything that fires is sent again each
// minute, and what is over once more with its end. Of what piled up while it was
// down it gets the last word on each alert.
//
// Several Alertmanagers that form a cluster are each told by themselves, as
// Prometheus does it: they agree on who sends the message.
package alertmanager
