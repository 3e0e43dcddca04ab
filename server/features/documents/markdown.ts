import { Marked, type Token, type Tokens } from 'marked'
import sanitize from 'sanitize-html'

export interface WrittenPicture {
  readonly href: string
  readonly alt: string
}
export interface StoredPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}

export interface Body {
  readonly html: string
  readonly lost: readonly string[]
}

const marked = new Marked({ gfm: true })

/** A picture in a paragraph of its own becomes a figure. Headings begin at the second level, below the page title. */
export async function bodyOf(
  markdown: string,
  pictureFor: (picture: WrittenPicture) => Promise<StoredPicture> = async () => {
    throw new Error('Pictures are not supported here.')
  },
): Promise<Body> {
  const tokens = marked.lexer(markdown)
  const figures = new Map<Token, Tokens.Image>()
  const inline: Tokens.Image[] = []
  void marked.walkTokens(tokens, (token) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says which token it is
    if (token.type === 'heading') token.depth = Math.min(4, Math.max(2, (token as Tokens.Heading).depth))
    if (token.type === 'paragraph') {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says which token it is
      const children = (token as Tokens.Paragraph).tokens
      if (children.length === 1 && children[0]!.type === 'image')
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says which token it is
        figures.set(token, children[0] as Tokens.Image)
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says which token it is
    if (token.type === 'image') inline.push(token as Tokens.Image)
  })
  const alone = new Set(figures.values())
  for (const [paragraph, image] of figures) {
    const caption = image.title ? `<figcaption>${escapeText(image.title)}</figcaption>` : ''
    replace(paragraph, `<figure>${await tag(image, pictureFor)}${caption}</figure>\n`)
  }
  for (const image of inline) if (!alone.has(image)) replace(image, await tag(image, pictureFor))
  return richBody(marked.parser(tokens))
}

async function tag(
  { href, text }: Tokens.Image,
  pictureFor: (picture: WrittenPicture) => Promise<StoredPicture>,
): Promise<string> {
  const { id, width, height } = await pictureFor({ href, alt: text })
  const at = (size: number) => `/media/covers/${id.slice(0, 2)}/${id}-${size}.webp`
  return (
    `<img src="${at(900)}" srcset="${at(330)} 330w, ${at(900)} 900w" sizes="(max-width: 760px) 100vw, 720px" ` +
    `alt="${escapeText(text).replaceAll('"', '&quot;')}" width="${width}" height="${height}" loading="lazy" decoding="async">`
  )
}

const replace = (token: Token, html: string): void =>
  void Object.assign(token, { type: 'html', raw: html, text: html, block: true, pre: false, tokens: [] })

const KEPT =
  'p h2 h3 h4 a ul ol li em strong blockquote img figure figcaption br table thead tbody tr th td'.split(' ')
const TRANSLATED = { h1: 'h2', h5: 'h4', h6: 'h4', b: 'strong', i: 'em' }
/** Only pictures from the shop's own store: a foreign picture would tell its server who reads the page. */
const OWN = /^\/media\/covers\/[0-9a-f]{2}\/[0-9a-f]{32}-(?:330|900)\.webp$/

const ALLOWED: sanitize.IOptions = {
  allowedTags: KEPT,
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: { ...TRANSLATED, a: sanitize.simpleTransform('a', { rel: 'noopener' }) },
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'img' &&
    ![attribs.src, ...(attribs.srcset ?? '').split(',').map((each) => each.trim().split(/\s+/)[0])]
      .filter((address) => address !== '')
      .every((address) => OWN.test(address ?? '')),
}

export function richBody(html: string): { html: string; lost: string[] } {
  const lost = new Set<string>()
  const kept = sanitize(html, {
    ...ALLOWED,
    onOpenTag: (name) => {
      if (!KEPT.includes(name) && !(name in TRANSLATED)) lost.add(name)
    },
  })
  const tags = [...lost].map((name) => `<${name}>`).join(', ')
  return { html: kept.trim(), lost: tags ? [`${tags} ${lost.size > 1 ? 'are' : 'is'} not kept.`] : [] }
}

export const plainText = (html: string): string =>
  sanitize(html.replace(/<\/(p|li|h[2-4]|blockquote)>\s*/g, '</$1>\n\n'), {
    allowedTags: [],
    allowedAttributes: {},
    textFilter: decoded,
  }).trim()

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', '’')
    .replaceAll('&amp;', '&')
