/** Every link of the app (specification §2). */
const part = encodeURIComponent

export const paths = {
  root: () => '/',
  datasets: () => '/dataset/',
  dataset: (datasetId: string) => `/dataset/${part(datasetId)}`,
  items: (datasetId: string) => `/dataset/${part(datasetId)}/item`,
  item: (datasetId: string, itemId: string | number) =>
    `/dataset/${part(datasetId)}/item/${part(String(itemId))}`,
  views: () => '/view/',
  repos: () => '/repo/',
  addItem: (repoId: string) => `/repo/${part(repoId)}/additem`,
  addRepo: () => '/addrepo',
  addView: () => '/addview',
}
