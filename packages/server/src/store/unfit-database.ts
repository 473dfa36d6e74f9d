/** A database that an installation cannot be kept in, or that is not there, as a sentence. */
export class UnfitDatabase extends Error {
  override name = 'UnfitDatabase'
}

/** A database in which no start has made the tables yet, or that is not there at all. */
export class MissingDatabase extends UnfitDatabase {
  override name = 'MissingDatabase'
}
