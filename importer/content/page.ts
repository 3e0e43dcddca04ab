import { basename } from 'node:path'
import { eq } from 'drizzle-orm'
import { infoPages } from '#server/db/schema/pages.ts'
import { ImportRefused } from '../refused.ts'
import { checkerOf, readText, readFrontMatter } from './files.ts'
import { bodyOf } from './markdown.ts'
import { type PlannedPicture, writtenPicture } from './pictures.ts'
import { changedBy, created, type Piece } from './piece.ts'
import { PageFile } from './schemas.ts'

const check = checkerOf(PageFile)

/** `pages/<slug>.md`: an info page. */
export async function readPage(path: string): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { title, part = null } = check(keys, lines)
  const slug = basename(path, '.md')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    throw new ImportRefused('The file’s name is its address: lower-case letters, digits and single hyphens.')
  // Refuse an unfinished draft of `npm run new-shop -- --pages`.
  const gaps = [...body.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, gap]) => `“${gap}”`)
  if (gaps.length > 0)
    throw new ImportRefused(
      `It still has ${gaps.length === 1 ? 'a gap' : `${gaps.length} gaps`}: ${gaps.join('; ')}.`,
    )
  const pictures: PlannedPicture[] = []
  const { html, lost } = await bodyOf(body, async ({ href }) => {
    const picture = await writtenPicture(path, href, undefined, `page ${slug} ${pictures.length}`)
    pictures.push(picture)
    return picture
  })
  return {
    about: title,
    pictures,
    sounds: [],
    warnings: lost,
    apply: async (tx, { dryRun }) => {
      const [standing] = await tx.select().from(infoPages).where(eq(infoPages.slug, slug))
      const changes = [
        ...(standing && standing.title !== title ? ['title'] : []),
        ...(standing && standing.content !== html ? ['text'] : []),
        ...(standing && standing.part !== part ? ['part'] : []),
      ]
      if (!dryRun && (!standing || changes.length > 0))
        await tx
          .insert(infoPages)
          .values({ slug, title, content: html, part })
          .onConflictDoUpdate({ target: infoPages.slug, set: { title, content: html, part } })
      return standing ? changedBy(changes) : created
    },
  }
}
