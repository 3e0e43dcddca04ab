import sanitize from 'sanitize-html'

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

/** Plain text of HTML, with a blank line between paragraphs. */
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
