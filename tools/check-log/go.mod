module vitrine/check-log

go 1.26.0

// The reader of tiles of v0.29.0 took altered tiles below the first level; this one refuses them.
require golang.org/x/mod v0.43.0

require filippo.io/torchwood v0.9.0

require (
	golang.org/x/crypto v0.46.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
)
