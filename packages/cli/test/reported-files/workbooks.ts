import { workbook } from '../../../server/test/sample-workbook.ts'
import type { ReportedFile } from './reported-file.ts'

const officeSpace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const strictSpace = 'http://purl.oclc.org/ooxml'
const sheetSpace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** The texts that cells of a workbook refer to. */
const texts = (...each: string[]) => ({
  'xl/sharedStrings.xml': `<sst>${each.map((text) => `<si>${text.startsWith('<') ? text : `<t>${text}</t>`}</si>`).join('')}</sst>`,
})

/** Formats of cells: the first is none, and the others are numbers of formats, or codes of their own. */
const formats = (...each: (number | string)[]) => {
  const codes = each.filter((format) => typeof format === 'string')
  const idOf = (format: number | string) =>
    typeof format === 'number' ? format : 164 + codes.indexOf(format)
  return {
    'xl/_rels/workbook.xml.rels': `<Relationships>${Object.entries({
      b: ['worksheet', 'worksheets/sheet1.xml'],
      c: ['sharedStrings', 'sharedStrings.xml'],
      d: ['styles', 'styles.xml'],
    })
      .map(
        ([id, [type, target]]) =>
          `<Relationship Id="${id}" Type="${officeSpace}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${each
      .map((format) => `<xf numFmtId="${idOf(format)}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  }
}

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const shared = (index: number, place?: string) =>
  `<c${place === undefined ? '' : ` r="${place}"`} t="s"><v>${index}</v></c>`

export const workbooks: ReportedFile[] = [
  {
    report: 'tidyverse/readxl#648',
    what: 'some cells say where they are, and others do not',
    name: 'places.xlsx',
    content: workbook(
      `<row r="1">${shared(0, 'A1')}${shared(1)}${shared(2, 'D1')}${shared(3)}</row>` +
        '<row r="2"><c r="B2"><v>2</v></c><c/><c><v>4</v></c></row>' +
        '<row><c><v>1</v></c><c/><c r="E3"><v>5</v></c></row>',
      texts('a', 'b', 'd', 'e'),
    ),
    fields: { a: 'integer?', b: 'integer?', column_3: 'string?', d: 'integer?', e: 'integer?' },
    rows: [
      { b: 2, d: 4 },
      { a: 1, e: 5 },
    ],
  },
  {
    report: 'JanMarvin/openxlsx2#1676',
    what: 'some rows say where they are, and others do not',
    name: 'lines.xlsx',
    content: workbook(
      `<row/><row>${shared(0, 'C2')}</row><row><c r="C3"><v>314</v></c></row><row r="5"/>` +
        '<row><c r="C6"><v>1</v></c></row><row><c r="C7"><v>200000</v></c></row>',
      texts('count'),
    ),
    fields: { count: 'integer' },
    rows: [{ count: 314 }, { count: 1 }, { count: 200000 }],
  },
  {
    report: 'catamphetamine/read-excel-file#92',
    what: 'elements with a prefix, and a cell of text without one',
    name: 'prefix.xlsx',
    content: workbook('', {
      'xl/worksheets/sheet1.xml': `<?xml version="1.0" encoding="utf-8"?><x:worksheet xmlns:x="${sheetSpace}"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="s"><x:v>1</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="s"><x:v>2</x:v></x:c><x:c r="B2" t="s" /></x:row></x:sheetData></x:worksheet>`,
      'xl/sharedStrings.xml': `<x:sst xmlns:x="${sheetSpace}"><x:si><x:t>name</x:t></x:si><x:si><x:t>note</x:t></x:si><x:si><x:t>Ada</x:t></x:si></x:sst>`,
    }),
    fields: { name: 'string', note: 'string?' },
    rows: [{ name: 'Ada' }],
  },
  {
    report: 'ExcelDataReader/ExcelDataReader#498',
    what: 'a workbook saved as Strict Open XML, with a date in ISO 8601',
    name: 'strict.xlsx',
    content: workbook(
      `<row r="1">${shared(0)}${shared(1)}</row><row r="2"><c><v>7</v></c><c t="d"><v>2026-11-22</v></c></row>`,
      {
        '_rels/.rels': `<Relationships><Relationship Id="a" Type="${strictSpace}/officeDocument/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
        'xl/workbook.xml': `<workbook xmlns="${strictSpace}/spreadsheetml/main" xmlns:r="${strictSpace}/officeDocument/relationships" conformance="strict"><sheets><sheet name="One" sheetId="1" r:id="b"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="b" Type="${strictSpace}/officeDocument/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="c" Type="${strictSpace}/officeDocument/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
        ...texts('n', 'day'),
      },
    ),
    fields: { n: 'integer', day: 'date' },
    rows: [{ n: 7, day: '2026-11-22' }],
  },
  {
    report: 'doy/spreadsheet-parsexlsx#72',
    what: 'how a Japanese text is spoken, kept beside it',
    name: 'phonetic.xlsx',
    content: workbook(
      `<row>${shared(0)}</row><row>${shared(1)}</row><row>${shared(2)}</row>`,
      texts(
        'name',
        '<t>日本語あいう</t><rPh sb="0" eb="3"><t>ニホンゴ</t></rPh><phoneticPr fontId="1"/>',
        '<r><rPr/><t>日本</t></r><r><t>語</t></r><rPh sb="0" eb="2"><t>ニホン</t></rPh>',
      ),
    ),
    fields: { name: 'string' },
    rows: [{ name: '日本語あいう' }, { name: '日本語' }],
  },
  {
    report: 'EPPlusSoftware/EPPlus#1530',
    what: 'a text in parts, one of them without formatting',
    name: 'parts.xlsx',
    content: workbook(
      `<row>${shared(0)}${shared(1)}</row><row>${shared(2)}${shared(3)}</row>`,
      texts(
        'a',
        'b',
        '<r><rPr/><t>one</t></r><r><rPr><b/></rPr><t xml:space="preserve"> two</t></r>',
        'three',
      ),
    ),
    fields: { a: 'string', b: 'string' },
    rows: [{ a: 'one two', b: 'three' }],
  },
  {
    report: 'shuchkin/simplexlsx#70',
    what: 'an empty cell with the format of a date',
    name: 'no-date.xlsx',
    content: workbook(
      `<row>${inline('name')}${inline('day')}</row><row>${inline('Filled')}<c s="1"><v>43835</v></c></row>` +
        `<row>${inline('Empty')}<c s="1"/></row>`,
      formats(14),
    ),
    fields: { name: 'string', day: 'date?' },
    rows: [{ name: 'Filled', day: '2020-01-05' }, { name: 'Empty' }],
  },
  {
    report: 'shuchkin/simplexlsx#40',
    what: 'dates that are counted from 1904',
    name: 'from-1904.xlsx',
    content: workbook(`<row>${inline('day')}</row><row><c s="1"><v>42373</v></c></row>`, {
      ...formats(14),
      'xl/workbook.xml': `<workbook xmlns:r="${officeSpace}"><workbookPr date1904="1"/><sheets><sheet name="One" sheetId="1" r:id="b"/></sheets></workbook>`,
    }),
    fields: { day: 'date' },
    rows: [{ day: '2020-01-05' }],
  },
  {
    report: 'shuchkin/simplexlsx#36',
    what: 'a text in a cell with the format of a date',
    name: 'no-such-date.xlsx',
    content: workbook(
      `<row>${inline('day')}</row><row><c s="1"><v>43835</v></c></row><row><c s="1" t="s"><v>0</v></c></row>`,
      { ...texts('19/19/2000'), ...formats(14) },
    ),
    fields: { day: 'string' },
    rows: [{ day: '2020-01-05' }, { day: '19/19/2000' }],
  },
  {
    report: 'openai/codex#38118',
    what: 'a shared text that is empty',
    name: 'empty-text.xlsx',
    content: workbook(
      `<row>${inline('a')}${inline('b')}</row><row>${shared(1)}${shared(0)}</row>`,
      texts('visible', '<t/>'),
    ),
    fields: { a: 'string?', b: 'string' },
    rows: [{ b: 'visible' }],
  },
  {
    report: 'exceljs/exceljs#584',
    what: 'characters that XML has no way to write, and texts that look like them',
    name: 'escapes.xlsx',
    content: workbook(
      `<row>${inline('v')}</row>${[0, 1, 2].map((index) => `<row>${shared(index)}</row>`).join('')}`,
      texts('_xd_', '_x005F_x000D_', 'one_x000D_\ntwo'),
    ),
    fields: { v: 'string' },
    rows: [{ v: '_xd_' }, { v: '_x000D_' }, { v: 'one\r\ntwo' }],
  },
  {
    report: 'proompteng/bilig#42',
    what: 'errors of formulas',
    name: 'errors.xlsx',
    content: workbook(
      `<row>${inline('v')}</row><row><c><v>1</v></c></row><row><c t="e"><v>#N/A</v></c></row>` +
        '<row><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
    ),
    fields: { v: 'string' },
    rows: [{ v: '1' }, { v: '#N/A' }, { v: '#DIV/0!' }],
  },
  {
    report: 'colearendt/xlsx#7',
    what: '#N/A among numbers, where it is said to be no value',
    name: 'not-available.xlsx',
    content: workbook(
      `<row>${inline('v')}</row><row><c><v>0</v></c></row><row><c t="e"><f>NA()</f><v>#N/A</v></c></row>`,
    ),
    options: { null: '#N/A' },
    fields: { v: 'integer?' },
    rows: [{ v: 0 }, {}],
  },
  {
    report: 'SheetJS/sheetjs#1764',
    what: 'a text that ends like a date',
    name: 'tower.xlsx',
    content: workbook(
      `<row>${inline('what')}</row><row>${inline('SHOWER SCREEN TOWER 1,2,3')}</row>`,
    ),
    fields: { what: 'string' },
    rows: [{ what: 'SHOWER SCREEN TOWER 1,2,3' }],
  },
  {
    report: 'SheetJS/sheetjs#372',
    what: 'a sum of hours that is short of three days by a rounding error',
    name: 'hours.xlsx',
    content: workbook(
      `<row>${inline('time')}</row><row><c s="1"><f>A3+A4</f><v>2.9999999999599999</v></c></row>` +
        '<row><c s="2"><v>1.5</v></c></row>',
      formats('[h]:mm:ss;@', 46),
    ),
    fields: { time: 'duration' },
    rows: [{ time: 'P3D' }, { time: 'P1DT12H' }],
  },
]
