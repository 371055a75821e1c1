package api

// DefaultPort is the port at 127.0.0.1 on which limpet serve listens. It lies in the range of the
// exporters of Prometheus, which the firewalls of many sites already allow.
const DefaultPort = 9714

// Base is the beginning of the paths of the API. Answers below it stay compatible: fields are
// added, and no field is removed or changes its meaning.
const Base = "/api/v1"
