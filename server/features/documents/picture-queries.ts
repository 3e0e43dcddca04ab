import { eq, inArray } from 'drizzle-orm'
import { marked } from 'marked'
import type { Missing } from '#contract/office/documents.ts'
import type { Db } from '../../db/open.ts'
import { covers } from '../../db/schema/media.ts'
import { isBlank } from './document-type.ts'

const STORED = /^\/media\/covers\/[\da-f]{2}\/([\da-f]{32})-(?:330|900)\.webp$/

function picturesIn(markdown: string): { href: string; alt: string }[] {
  const pictures: { href: string; alt: string }[] = []
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'image' && 'href' in token)
      pictures.push({ href: String(token.href), alt: String(token.text ?? '') })
  })
  return pictures
}

async function storedPictures(db: Db, markdown: string) {
  const ids = picturesIn(markdown).flatMap(({ href }) => STORED.exec(href)?.[1] ?? [])
  const found = ids.length === 0 ? [] : await db.select().from(covers).where(inArray(covers.id, ids))
  return new Map(found.map((cover) => [cover.id, cover]))
}

/** Pictures in the text that the shop doesn't have, or that nothing describes. */
export async function missingPictures(db: Db, markdown: string): Promise<Missing[]> {
  const known = await storedPictures(db, markdown)
  return picturesIn(markdown).flatMap(({ href, alt }) => [
    ...(known.has(STORED.exec(href)?.[1] ?? '')
      ? []
      : [{ field: 'body', words: `The shop doesn’t have the picture “${href}”.` }]),
    ...(isBlank(alt)
      ? [{ field: 'body', words: 'Describe each picture: ![what it shows](…), for people who can’t see it.' }]
      : []),
  ])
}

/** The text as HTML. A picture that the shop doesn't have is left out: drafts are previewed with it. */
export async function htmlOf(db: Db, markdown: string): Promise<string> {
  const known = await storedPictures(db, markdown)
  // Loaded when it is needed: no shopper's request does.
  const { bodyOf } = await import('./markdown.ts')
  const { html } = await bodyOf(markdown, async ({ href }) => {
    const id = STORED.exec(href)?.[1] ?? ''
    const { width = 900, height = 600 } = known.get(id) ?? {}
    return { id, width, height }
  })
  return html
}

export async function selectPicture(db: Db, id: string) {
  const [found] = await db
    .select({ id: covers.id, width: covers.width, height: covers.height })
    .from(covers)
    .where(eq(covers.id, id))
  return found
}
