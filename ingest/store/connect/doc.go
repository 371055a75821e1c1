// Package connect reaches a store: its address, tenant and credentials, which way of
// asking for raw samples it understands, and patience with it.
//
//	url: https://mimir.example/prometheus
//	kind: auto                        # or remote-read, export (VictoriaMetrics), query
//	tenant: storage                   # X-Scope-OrgID and THANOS-TENANT, where the store has tenants
//	basic: {user: limpet, password_file: /etc/limpet/store.password}
//	bearer_file: /etc/limpet/store.token
//	tls: {ca: site.pem, certificate: own.pem, key: own.key, server_name: mimir}
//	server_label: instance            # the label that names a server; its port is cut off
//	by_nodename: false                # call servers as they call themselves
//	match: {cluster: a}               # labels that all series have
//	timeout: 2m                       # of one answer
//	attempts: 6                       # at one answer, each after a longer pause
//
// Secrets stand in files, as everywhere.
package connect
