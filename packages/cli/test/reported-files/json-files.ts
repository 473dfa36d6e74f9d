import type { ReportedFile } from './reported-file.ts'

export const jsonFiles: ReportedFile[] = [
  {
    report: 'infiniflow/ragflow#19179',
    what: 'a byte order mark before NDJSON',
    name: 'mark.ndjson',
    content: '\ufeff{"a":1}\n{"a":2}\n',
    fields: { a: 'integer' },
    rows: [{ a: 1 }, { a: 2 }],
  },
  {
    report: 'get-convex/convex-backend#155',
    what: 'a byte order mark before an array',
    name: 'mark.json',
    content: '\ufeff[{"a":1},{"a":2}]',
    fields: { a: 'integer' },
    rows: [{ a: 1 }, { a: 2 }],
  },
  {
    report: 'Modalities/modalities#395',
    what: 'a last line that does not end',
    name: 'no-end.ndjson',
    content: '{"a":1}\n{"a":2}',
    fields: { a: 'integer' },
    rows: [{ a: 1 }, { a: 2 }],
  },
  {
    report: 'projectdiscovery/nuclei#5860',
    what: 'a comma behind every object',
    name: 'commas.ndjson',
    content: '{"a":1},\n{"a":2},\n',
    fields: { a: 'integer' },
    refused: 'it has a comma behind its object: leave it out, or write an array',
  },
  {
    report: 'google/trace-viewer#119',
    what: 'a comma behind the last element of an array',
    name: 'comma.json',
    content: '[\n  {"a":1},\n  {"a":2},\n]',
    fields: { a: 'integer' },
    refused: 'has a comma and nothing before it or after it at row 3',
  },
]
