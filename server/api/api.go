package api

// DefaultPort is where limpet serve listens, at 127.0.0.1. It lies in the range that
// exporters of Prometheus use, so that firewalls of sites often know it.
const DefaultPort = 9714

// Base is where the paths of the API begin. Answers below it keep their form:
// fields are added, and none is removed or changes its meaning.
const Base = "/api/v1"
