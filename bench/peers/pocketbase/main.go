// PocketBase, with SQLite's pragma `synchronous` from PB_SYNCHRONOUS where that is set.
package main

import (
	"log"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
)

func main() {
	config := pocketbase.Config{HideStartBanner: true}
	if synchronous := os.Getenv("PB_SYNCHRONOUS"); synchronous != "" {
		config.DBConnect = func(path string) (*dbx.DB, error) {
			// The pragmas of core.DefaultDBConnect, but for this one.
			return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)"+
				"&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)"+
				"&_pragma=synchronous("+synchronous+")&_pragma=foreign_keys(ON)"+
				"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
		}
	}
	if err := pocketbase.NewWithConfig(config).Start(); err != nil {
		log.Fatal(err)
	}
}
