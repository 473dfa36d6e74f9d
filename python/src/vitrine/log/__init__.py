"""Logs of repositories in the formats of RFC 6962 and C2SP (docs/log.md); nothing here talks to a server."""
