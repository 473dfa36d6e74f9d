# Writes the table of made.json by R: Rscript make.R, in this folder.
people <- data.frame(
  name = c('Ada "Lovelace"', 'Grüße, 世界', "two\nlines", "007"),
  count = c(3, NA, -7, 900719925474099),
  price = c(0.1, 1234.5, NA, 2.5e-7),
  ok = c(TRUE, FALSE, TRUE, NA),
  day = as.Date(c("2026-11-22", "1999-12-31", NA, "2000-02-29")),
  moment = as.POSIXct(
    c("2026-11-22 15:04:05", "2000-02-29 23:59:59", NA, "1970-01-01 00:00:00"), tz = "UTC"
  )
)
options(digits = 15, scipen = 20)
write.csv(people, "r.csv", row.names = FALSE, na = "", fileEncoding = "UTF-8")
write.csv(people, "r-rownames.csv", na = "", fileEncoding = "UTF-8")
write.csv2(people, "r-csv2.csv", row.names = FALSE, na = "", fileEncoding = "UTF-8")
write.table(people, "r.tsv", sep = "\t", qmethod = "double", row.names = FALSE, na = "", fileEncoding = "UTF-8")
