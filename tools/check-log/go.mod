module vitrine/check-log

go 1.26.0

// The reader of tiles of v0.29.0 took altered tiles below the first level; this one refuses them.
require golang.org/x/mod v0.43.0
