import TurndownService from 'turndown'

interface Element {
  readonly nodeName: string
  readonly parentNode: Element | null
  readonly children: ArrayLike<unknown>
  getAttribute(name: string): string | null
  querySelector(selector: string): (Element & { readonly textContent: string | null }) | null
}

const turndown = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  emDelimiter: '*',
  blankReplacement: (_text, node) =>
    isCell(elementOf(node)) ? '  |' : 'isBlock' in node && node.isBlock ? '\n\n' : '',
})
turndown.addRule('table', { filter: 'table', replacement: (text) => `\n\n${text.trim()}\n\n` })
turndown.addRule('rows', { filter: ['thead', 'tbody'], replacement: (text) => text })
turndown.addRule('row', {
  filter: 'tr',
  replacement: (text, node) => {
    const { parentNode, children } = elementOf(node)
    const isHead = parentNode?.nodeName === 'THEAD'
    return `\n|${text}${isHead ? `\n|${'---|'.repeat(children.length)}` : ''}`
  },
})
turndown.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (text) => ` ${text.trim().replaceAll(/\n+/g, ' ').replaceAll('|', '\\|')} |`,
})
turndown.addRule('picture', {
  filter: 'img',
  replacement: (_text, node) => pictureOf(elementOf(node)),
})
turndown.addRule('figure', {
  filter: 'figure',
  replacement: (_text, node) => {
    const figure = elementOf(node)
    const picture = figure.querySelector('img')
    return picture
      ? `\n\n${pictureOf(picture, figure.querySelector('figcaption')?.textContent ?? '')}\n\n`
      : ''
  },
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's own DOM has these
const elementOf = (node: unknown): Element => node as Element

const isCell = ({ nodeName }: Element): boolean => nodeName === 'TH' || nodeName === 'TD'

const pictureOf = (picture: Element, caption = ''): string => {
  const alt = (picture.getAttribute('alt') ?? '').replaceAll(/[[\]]/g, '')
  const title = caption.trim() && ` "${caption.trim().replaceAll('"', '”')}"`
  return `![${alt}](${picture.getAttribute('src') ?? ''}${title})`
}

/** Converts HTML that `bodyOf` rendered back to Markdown. `bodyOf` renders the result to the same HTML. */
export const htmlToMarkdown = (html: string): string => turndown.turndown(html).trim()
