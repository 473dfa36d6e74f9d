package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf16"
)

// entry is what the log says of an item (docs/log.md).
type entry struct {
	ID        int64  `json:"id"`
	CreatedAt string `json:"createdAt"`
	By        string `json:"by"`
	Nonce     string `json:"nonce"`
	Seal      string `json:"seal"`
	Replaces  int64  `json:"replaces"`
	Withdraws int64  `json:"withdraws"`
}

// readEntry reads an entry, which has but one spelling.
func readEntry(text []byte) (entry, error) {
	var read entry
	if err := json.Unmarshal(text, &read); err != nil {
		return read, err
	}
	by := ""
	if read.By != "" {
		by = `"by":` + quoted(read.By) + ","
	}
	nonce, replaces, withdraws := "", "", ""
	if read.Nonce != "" {
		nonce = `"nonce":` + quoted(read.Nonce) + ","
	}
	if read.Replaces != 0 {
		replaces = fmt.Sprintf(`"replaces":%d,`, read.Replaces)
	}
	if read.Withdraws != 0 {
		withdraws = fmt.Sprintf(`,"withdraws":%d`, read.Withdraws)
	}
	canonical := fmt.Sprintf(`{%s"createdAt":%s,"id":%d,%s%s"seal":"%s"%s}`,
		by, quoted(read.CreatedAt), read.ID, nonce, replaces, read.Seal, withdraws)
	if canonical != string(text) {
		return read, fmt.Errorf("%s is not as RFC 8785 has JSON", text)
	}
	return read, nil
}

// corrections are what the entries of a log replace, each once at most.
type corrections struct {
	seals    map[int64]string
	replaced map[int64]int64
}

// add verifies that an entry replaces one before it that none has replaced, and that what withdraws has its seal.
func (c *corrections) add(logged entry) error {
	replaces := logged.Replaces + logged.Withdraws
	if logged.Replaces != 0 && logged.Withdraws != 0 {
		return fmt.Errorf("item %d replaces an item and withdraws one", logged.ID)
	}
	if replaces != 0 {
		seal, found := c.seals[replaces]
		if !found {
			return fmt.Errorf("item %d replaces item %d, which is not before it", logged.ID, replaces)
		}
		if other := c.replaced[replaces]; other != 0 {
			return fmt.Errorf("item %d is replaced by %d and by %d", replaces, other, logged.ID)
		}
		if logged.Withdraws != 0 && seal != logged.Seal {
			return fmt.Errorf("item %d has not the seal of item %d, which it withdraws", logged.ID, replaces)
		}
		c.replaced[replaces] = logged.ID
	}
	c.seals[logged.ID] = logged.Seal
	return nil
}

// checkItem recomputes the digests of an item's values and its seal, and compares them with its entry.
// `file` returns the bytes of a field that has a media type.
func checkItem(shown item, logged entry, file func(field string) ([]byte, error)) error {
	if text := fmt.Sprint(shown["id"]); text != fmt.Sprint(logged.ID) {
		return fmt.Errorf("item %s has the entry of %d", text, logged.ID)
	}
	if shown["createdAt"] != logged.CreatedAt {
		return fmt.Errorf("item %d was made at %v, by its entry at %s", logged.ID, shown["createdAt"], logged.CreatedAt)
	}
	sealed := map[string]string{}
	for column, value := range shown {
		field, suffix := column, ""
		if at := strings.LastIndex(column, "."); at >= 0 {
			field, suffix = column[:at], column[at+1:]
		}
		switch suffix {
		case "sha256":
			member := fmt.Sprintf(`"sha256":"%v"`, value)
			bytes := []byte(fmt.Sprint(shown[field]))
			if mime, isFile := shown[field+".mime"]; isFile {
				member = fmt.Sprintf(`"mime":%s,%s`, quoted(fmt.Sprint(mime)), member)
				var err error
				if bytes, err = file(field); err != nil {
					return err
				}
			}
			if digest := hexDigest(bytes); digest != value {
				return fmt.Errorf("%s of item %d has the digest %s, not %v", field, logged.ID, digest, value)
			}
			sealed[field] = "{" + member + "}"
		case "":
			if _, isSealed := shown[column+".sha256"]; !isSealed && column != "id" && column != "createdAt" {
				return fmt.Errorf("%s of item %d has no digest", column, logged.ID)
			}
		}
	}
	if seal := hexDigest([]byte(sealText(sealed))); seal != logged.Seal {
		return fmt.Errorf("item %d has the seal %s, by its entry %s", logged.ID, seal, logged.Seal)
	}
	return nil
}

// sealText is JSON in the form of RFC 8785 of members by their names.
func sealText(members map[string]string) string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Slice(names, func(a, b int) bool {
		return lessByUnits(utf16.Encode([]rune(names[a])), utf16.Encode([]rune(names[b])))
	})
	for at, name := range names {
		names[at] = quoted(name) + ":" + members[name]
	}
	return "{" + strings.Join(names, ",") + "}"
}

func lessByUnits(a, b []uint16) bool {
	for at := 0; at < len(a) && at < len(b); at++ {
		if a[at] != b[at] {
			return a[at] < b[at]
		}
	}
	return len(a) < len(b)
}

// quoted is a text as RFC 8785 has it, which escapes less than encoding/json.
func quoted(text string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`}
	var written strings.Builder
	written.WriteByte('"')
	for _, character := range text {
		if escaped, found := short[character]; found {
			written.WriteString(escaped)
		} else if character < 0x20 {
			fmt.Fprintf(&written, `\u%04x`, character)
		} else {
			written.WriteRune(character)
		}
	}
	written.WriteByte('"')
	return written.String()
}

func hexDigest(bytes []byte) string {
	digest := sha256.Sum256(bytes)
	return hex.EncodeToString(digest[:])
}
