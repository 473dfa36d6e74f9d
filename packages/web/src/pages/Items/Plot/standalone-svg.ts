const namespace = 'http://www.w3.org/2000/svg'
const font = "'Instrument Sans', system-ui, 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif"

/** Style properties that a drawing has from the page, and a file of its own must declare itself. */
const properties = ['fill', 'stroke', 'color'] as const

type Texts = { title: string; description: string }

/** The text of a drawing that stands by itself: in the colours of the light scheme, on white. */
export function standaloneSvg(drawn: SVGSVGElement, texts: Texts): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement
  inLightScheme(() => {
    const [from, to] = [drawn, copy].map((root) => [root, ...root.querySelectorAll('*')])
    from!.forEach((element, index) => {
      const computed = getComputedStyle(element)
      for (const property of properties) {
        if (!element.hasAttribute(property)) continue
        const value = computed.getPropertyValue(property)
        to![index]!.setAttribute(property, value)
      }
    })
    copy.setAttribute('color', getComputedStyle(drawn).color)
    copy.setAttribute('font-size', getComputedStyle(drawn).fontSize)
  })
  for (const left of copy.querySelectorAll('style, [aria-label="tip"]')) left.remove()
  copy.removeAttribute('class')
  copy.removeAttribute('style')
  copy.setAttribute('font-family', font)
  copy.prepend(titled('title', texts.title), titled('desc', texts.description), ground())
  return new XMLSerializer().serializeToString(copy)
}

function titled(name: string, text: string): SVGElement {
  const element = document.createElementNS(namespace, name)
  element.textContent = text
  return element
}

function ground(): SVGElement {
  const element = document.createElementNS(namespace, 'rect')
  element.setAttribute('width', '100%')
  element.setAttribute('height', '100%')
  element.setAttribute('fill', 'white')
  return element
}

/** Reads styles as they are in the light scheme; nothing is painted in between. */
function inLightScheme(read: () => void): void {
  const { dataset } = document.documentElement
  const scheme = dataset['mantineColorScheme']
  dataset['mantineColorScheme'] = 'light'
  read()
  if (scheme !== undefined) dataset['mantineColorScheme'] = scheme
}
