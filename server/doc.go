// Package server is the room of all packages with which people and programs reach a running
// diagnosis. It has no code of its own.
//
// In come HTTP requests: questions of browsers and programs, samples of senders, and
// feedback of operators. Out come documents, the console, metrics and alerts. The packages:
//   - serve: limpet serve, which connects a watch with the API, the console and the alerts
//   - serve/config: the configuration file
//   - api: the documents of the API, and the interface of a site that answers
//   - handler: the HTTP server and the routes of the API
//   - api/client: the client behind limpet incidents
//   - access: users, roles, passwords, tokens and TLS
//   - prevalence: how common limping is on the site
//   - console: the page in the browser, with its TypeScript in console/web
//   - sitetest: made-up sites for tests
//
// The room may import every room but cmd, raid and lab. It decides nothing about storage:
// engine finds incidents, live keeps them, and report has their sentences.
//
// Read first: serve/service.go, handler/routes.go, api/site.go.
package server
