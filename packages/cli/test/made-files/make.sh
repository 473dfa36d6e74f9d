#!/bin/sh
# Writes the table of made.json by programs of the command line, in this folder: sh make.sh, with the address of a
# database of PostgreSQL in DATABASE_URL. It reads what make.py wrote before.
set -eu
columns='name text, count bigint, price double precision, ok boolean, day date, moment timestamptz'
export PGTZ=UTC
psql -q "$DATABASE_URL" -c "drop table if exists people; create table people ($columns)" \
  -c "\\copy people from duckdb.csv with (format csv, header)"
copy() {
  psql -q "$DATABASE_URL" -c "\\copy ($1) to '$2' with ($3)"
}
copy 'table people' postgres.csv 'format csv, header'
copy 'table people' postgres-quoted.csv 'format csv, header, force_quote *'
copy 'table people' postgres.tsv "format csv, header, delimiter E'\\t'"
psql -q -t -A "$DATABASE_URL" -c 'select row_to_json(people) from people' > postgres.ndjson
psql -q -t -A "$DATABASE_URL" -c 'select json_agg(people) from people' > postgres.json
psql -q "$DATABASE_URL" --csv -c 'table people' > psql.csv

rm -f people.db
sqlite3 people.db "create table people (${columns})" '.mode csv' '.import --skip 1 duckdb.csv people'
sqlite3 people.db "update people set count = nullif(count, ''), price = nullif(price, ''), ok = nullif(ok, ''), day = nullif(day, ''), moment = nullif(moment, '')"
sqlite3 -header -csv people.db 'select * from people' > sqlite.csv
sqlite3 -json people.db 'select * from people' > sqlite.json
rm people.db

mlr --icsv --ocsv cat duckdb.csv > miller.csv
jq -r '(.[0] | keys_unsorted), (.[] | [.[]]) | @csv' duckdb.json > jq.csv
jq -c '.[]' duckdb.json > jq.ndjson

ssconvert -T Gnumeric_Excel:xlsx2 openpyxl.xlsx gnumeric.xlsx 2> /dev/null
ssconvert openpyxl.xlsx gnumeric.csv 2> /dev/null
soffice --headless --convert-to xlsx:"Calc MS Excel 2007 XML" --outdir converted openpyxl.xlsx > /dev/null
mv converted/openpyxl.xlsx libreoffice.xlsx
# Texts as they are stored, in UTF-8, with commas.
soffice --headless --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76' --outdir converted openpyxl.xlsx > /dev/null
mv converted/openpyxl.csv libreoffice.csv
rmdir converted

mkdir packed
cp duckdb.csv packed/rows.csv
bsdtar -c -f bsdtar.tar packed
bsdtar -c -z -f bsdtar.tar.gz packed
bsdtar -c --format zip -f bsdtar.zip packed
tar -c -f gnu.tar packed
zip -q -r info-zip.zip packed
mv packed/rows.csv packed/rows.xlsx && cp libreoffice.xlsx packed/rows.xlsx
zip -q -r workbook.zip packed
rm -r packed
