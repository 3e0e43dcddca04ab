import { Marked, type Token, type Tokens } from 'marked'
import { escapeText, richBody } from './rich-body.ts'

/** A picture as the Markdown refers to it. */
export interface WrittenPicture {
  readonly href: string
  readonly alt: string
}
/** The same picture in the media store. */
export interface StoredPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}

export interface Body {
  /** Sanitised. */
  readonly html: string
  readonly lost: readonly string[]
}

const marked = new Marked({ gfm: true })

/**
 * Converts Markdown to sanitised HTML. A picture in a paragraph of its own becomes a figure with the picture's title as
 * caption. Headings begin at the second level, because the page title is the first.
 */
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
