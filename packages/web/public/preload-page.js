// Asks for the files of the page that the address names while the app itself is on its way; else they
// would be asked for once the app runs. The build lists them in the page (list-page-files.ts).
;(() => {
  const pages = [
    ['lists', /^\/(?:dataset|repo|view)?\/?$/],
    ['read', /^\/dataset\/[^/]+(?:\/item(?:\/[^/]+)?)?\/?$/],
  ]
  const page = pages.find(([, addresses]) => addresses.test(location.pathname))?.[0]
  const listed = document.querySelector(`meta[name="page-files"][data-page="${page}"]`)
  for (const href of listed?.content.split(' ') ?? []) {
    const link = document.createElement('link')
    link.rel = 'preload'
    link.as = href.endsWith('.css') ? 'style' : 'script'
    link.href = href
    document.head.append(link)
  }
})()
