import sanitize from 'sanitize-html'

const ALLOWED: sanitize.IOptions = {
  allowedTags: ['p', 'br', 'em', 'strong', 'i', 'b', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'a'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'nofollow noopener' }) },
}

/** From plain text with blank lines between paragraphs, or HTML as in EPUBs. */
export function richText(text: string): string {
  if (/<(p|br|div|em|strong|i|b|ul|ol|li|h[1-6]|span)[\s/>]/i.test(text)) {
    const html = sanitize(text, ALLOWED).trim()
    return html === '' || html.startsWith('<p') ? html : `<p>${html}</p>`
  }
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => `<p>${escape(paragraph).replace(/\s*\n\s*/g, '<br />')}</p>`)
    .join('\n')
}

const escape = (text: string): string => sanitize(text, { allowedTags: [], disallowedTagsMode: 'escape' })
