"""Writes the workbooks in files/: openpyxl, XlsxWriter and pandas have to be installed."""

import datetime as dt
import pathlib
import zipfile

import openpyxl
import pandas as pd
import xlsxwriter

folder = pathlib.Path(__file__).parent / "files"

# As a curator would keep one: a title, names in row 3 that begin in column B, formats, merged and hidden cells.
book = xlsxwriter.Workbook(folder / "xlsxwriter.xlsx")
sheet = book.add_worksheet("Objects")
form = lambda pattern: book.add_format({"num_format": pattern})
sheet.write("B1", "Objects of the collection")
for column, name in enumerate(
    ["inventory", "postcode", "count", "price", "share", "found", "moment", "loan", "note"], 1
):
    sheet.write(2, column, name)
rows = [
    (1, 501, 3, 1234.5, 0.125, dt.date(1900, 1, 31), dt.datetime(2026, 11, 26, 8, 30, 15), True, "plain"),
    (12345678901234, 99501, -2, 0.1 + 0.2, 1, dt.date(2024, 2, 29), dt.datetime(2026, 1, 1), False, "two\nlines"),
    (3, 7, 0, 2, 0.5, dt.date(9999, 12, 31), dt.datetime(1999, 12, 31, 23, 59, 59, 500000), True, "_x0041_ & <b>"),
]
for at, (inventory, postcode, count, price, share, found, moment, loan, note) in enumerate(rows, 3):
    sheet.write(at, 1, inventory)
    sheet.write(at, 2, postcode, form("00000"))
    sheet.write(at, 3, count, form("#,##0"))
    sheet.write(at, 4, price, form('#,##0.00 "EUR"'))
    sheet.write(at, 5, share, form("0.0%"))
    sheet.write(at, 6, found, form("dd/mm/yyyy"))
    sheet.write(at, 7, moment, form("yyyy-mm-dd hh:mm"))
    sheet.write(at, 8, loan)
    sheet.write(at, 9, note)
sheet.merge_range("J7:J8", "merged")
sheet.write(6, 1, 4)
sheet.write(7, 1, 5)
sheet.set_row(7, None, None, {"hidden": True})
sheet.set_column("I:I", None, None, {"hidden": True})
book.add_worksheet("Empty")
book.add_worksheet("Hidden").hide()
book.close()

# Formulas: of the first the result is kept, of the others there is none.
book = xlsxwriter.Workbook(folder / "formulas.xlsx")
sheet = book.add_worksheet()
sheet.write_row(0, 0, ["a", "sum", "text", "error"])
sheet.write_row(1, 0, [1])
sheet.write_formula(1, 1, "=A2+1", None, 2)
sheet.write_formula(1, 2, '="x"&A2', None, "x1")
sheet.write_formula(1, 3, "=A2/0", None, "#DIV/0!")
book.close()

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Tabelle1"
sheet.append(["a", "sum"])
sheet.append([1, "=A2+1"])
book.save(folder / "unsaved-formula.xlsx")

# A day before the calendar of spreadsheets, as LibreOffice and openpyxl count it.
book = openpyxl.Workbook()
book.active.append(["day"])
book.active.append([dt.date(1815, 12, 10)])
book.active.append([dt.date(1900, 3, 1)])
book.save(folder / "openpyxl.xlsx")

# In the date system of old Macintosh files.
book = openpyxl.Workbook()
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
sheet = book.active
sheet.append(["day", "at"])
sheet.append([dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12)])
book.save(folder / "epoch-1904.xlsx")

pd.DataFrame(
    {
        "name": ["Ada", "Björk", None],
        "born": pd.to_datetime(["1915-12-10", "1965-11-21", "2000-01-01"]),
        "score": [1.5, None, 3],
        "ok": [True, False, True],
    }
).to_excel(folder / "pandas.xlsx", index=False, sheet_name="people")

# Texts in the cells, prefixed names, parts with \\ between folders, no places of cells: as other generators write.
parts = {
    "_rels\\.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/XL/workbook.xml"/></Relationships>',
    "xl\\workbook.xml": '<x:workbook xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:q="http://purl.oclc.org/ooxml/officeDocument/relationships"><x:sheets><x:sheet name="One" sheetId="1" q:id="z"/></x:sheets></x:workbook>',
    "xl\\_rels\\workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="z" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="worksheets/my%20sheet.xml"/></Relationships>',
    "xl\\worksheets\\my sheet.xml": '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:r><x:t>na</x:t></x:r><x:r><x:t xml:space="preserve">me </x:t></x:r><x:rPh sb="0" eb="1"><x:t>no</x:t></x:rPh></x:is></x:c><x:c t="str"><x:v>day</x:v></x:c></x:row><x:row/><x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[a<b]]>_x000D_</x:t></x:is></x:c><x:c t="d"><x:v>2024-02-29</x:v></x:c></x:row></x:sheetData></x:worksheet>',
}
with zipfile.ZipFile(folder / "other-generator.xlsx", "w", zipfile.ZIP_STORED) as archive:
    for name, text in parts.items():
        archive.writestr(zipfile.ZipInfo(name), text)
