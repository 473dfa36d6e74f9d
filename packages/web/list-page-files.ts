import type { HtmlBasicTag, RsbuildPlugin } from '@rsbuild/core'

/**
 * Lists in the page, by the name of a chunk, the files that it takes beside those of every page, and runs
 * `public/preload-page.js` on them: `<meta name="page-files" data-page="lists" content="/static/js/… /static/css/…">`.
 */
export function listPageFiles(names: readonly string[]): RsbuildPlugin {
  return {
    name: 'vitrine:list-page-files',
    setup(api) {
      api.modifyHTMLTags((tags, { compilation, assetPrefix }) => {
        const lists = names.map((name): HtmlBasicTag => {
          const files = compilation.namedChunkGroups.get(name)?.getFiles()
          if (files === undefined) throw new Error(`no page is in a chunk named ${name}`)
          const content = files
            .filter((file) => /\.(?:js|css)$/.test(file))
            .map((file) => `${assetPrefix.replace(/\/$/, '')}/${file}`)
            .join(' ')
          return { tag: 'meta', attrs: { name: 'page-files', 'data-page': name, content } }
        })
        const script = { tag: 'script', attrs: { src: '/preload-page.js', async: true } }
        return { ...tags, headTags: [...lists, script, ...tags.headTags] }
      })
    },
  }
}
