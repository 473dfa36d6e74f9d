/** A database that an installation cannot be kept in, or that is not there, as a sentence. */
export class UnfitDatabase extends Error {
  override name = 'UnfitDatabase'
}
