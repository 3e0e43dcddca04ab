import { createHash } from 'node:crypto'
import { type Token, type Tokens, marked } from 'marked'
import type { Part } from '../../integrations/mail/template.ts'

export interface Newsletter {
  readonly subject: string
  readonly parts: readonly Part[]
}

export interface NewsletterIssue extends Newsletter {
  /** A hash of the text. No subscriber gets the same issue twice. */
  readonly issue: string
}

/** A token that belongs to no subscriber, for previews and tests. */
export const NOBODYS_TOKEN = '00000000-0000-4000-8000-000000000000'

/** @throws TypeError as `newsletterFrom` */
export function issueOf(markdown: string): NewsletterIssue {
  const letter = newsletterFrom(markdown)
  const issue = createHash('sha256').update(JSON.stringify(letter)).digest('hex').slice(0, 10)
  return { ...letter, issue }
}

/** A paragraph with only a link becomes a button. @throws TypeError that names unsupported Markdown */
export function newsletterFrom(markdown: string): Newsletter {
  const tokens = marked.lexer(markdown.replace(/^\uFEFF/, ''))
  const first = tokens.findIndex(({ type }) => type !== 'space')
  const heading = tokens[first]
  if (heading?.type !== 'heading')
    throw new TypeError('It begins with its subject as a heading: # What is new in December')
  const parts = tokens.slice(first + 1).flatMap(partsOf)
  if (parts.length === 0) throw new TypeError('There is nothing below its heading.')
  return { subject: plainText(heading.tokens), parts }
}

function partsOf(token: Token): Part[] {
  switch (token.type) {
    case 'space':
    case 'hr':
    case 'def':
      return []
    case 'heading':
      return [{ title: plainText(token.tokens) }]
    case 'paragraph': {
      const inner = (token.tokens ?? []).filter(({ type, raw }) => type !== 'text' || raw.trim() !== '')
      const [only] = inner
      if (inner.length === 1 && only?.type === 'link' && isLink(only))
        return [{ button: plainText(only.tokens), to: checkedLink(only.href) }]
      return [{ text: plainText(token.tokens) }]
    }
    case 'blockquote':
      return [{ quote: (token.tokens ?? []).flatMap((inner) => tokenText(inner)).join('\n') }]
    case 'list':
      return isList(token)
        ? [
            {
              text: token.items
                .map((item, index) => `${token.ordered ? `${index + 1}.` : '•'} ${plainText(item.tokens)}`)
                .join('\n'),
            },
          ]
        : []
    default:
      throw new TypeError(
        `“${token.raw.trim().slice(0, 40)}” cannot be shown in a newsletter: it has headings, paragraphs, lists, quotations and links.`,
      )
  }
}

const isLink = (token: Token): token is Tokens.Link => 'href' in token
const isList = (token: Token): token is Tokens.List => 'items' in token
const tokenText = (token: Token): string[] =>
  'tokens' in token && token.tokens ? [plainText(token.tokens)] : []

/** The address of an inline link follows in parentheses. */
function plainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token): string => {
      if (token.type === 'image')
        throw new TypeError('A newsletter has no pictures: many mail programs block them.')
      if (token.type === 'html') throw new TypeError('A newsletter has no HTML in it.')
      if (token.type === 'br') return '\n'
      if (isLink(token)) {
        const words = plainText(token.tokens)
        return words === token.href ? words : `${words} (${checkedLink(token.href)})`
      }
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      if ('text' in token && typeof token.text === 'string') return unescaped(token.text)
      return ''
    })
    .join('')
    .trim()
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
}

/** The email template escapes the text again. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

function checkedLink(href: string): string {
  if (!/^(https?:\/\/|mailto:|\/(?!\/))/.test(href))
    throw new TypeError(
      `A link leads to https://, mailto: or a page of the shop (/browse), not to “${href}”.`,
    )
  return href
}
