import { inArray } from 'drizzle-orm'
import { marked } from 'marked'
import type { Db } from '../../db/open.ts'
import { covers } from '../../db/schema/media.ts'

const STORED = /^\/media\/covers\/[\da-f]{2}\/([\da-f]{32})-(?:330|900)\.webp$/

const hrefsIn = (markdown: string): string[] => {
  const hrefs: string[] = []
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'image' && 'href' in token) hrefs.push(String(token.href))
  })
  return hrefs
}

async function storedPictures(db: Db, markdown: string) {
  const ids = hrefsIn(markdown).flatMap((href) => STORED.exec(href)?.[1] ?? [])
  const found = ids.length === 0 ? [] : await db.select().from(covers).where(inArray(covers.id, ids))
  return new Map(found.map((cover) => [cover.id, cover]))
}

/** Addresses of pictures in the text that the shop doesn't have. */
export async function unknownPictures(db: Db, markdown: string): Promise<string[]> {
  const known = await storedPictures(db, markdown)
  return hrefsIn(markdown).filter((href) => !known.has(STORED.exec(href)?.[1] ?? ''))
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
