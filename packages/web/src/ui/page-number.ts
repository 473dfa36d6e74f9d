/** The page that a search such as `?page=2` names; pages start at 0 (specification §9). */
export function pageNumber(search: URLSearchParams): number {
  const text = search.get('page') ?? ''
  return /^\d{1,12}$/.test(text) ? Number(text) : 0
}
