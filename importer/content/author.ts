import { basename } from 'node:path'
import { eq } from 'drizzle-orm'
import { editorialAuthors } from '#server/db/schema/editorial.ts'
import { fullName, nameKey, slugOf } from '../names.ts'
import { ImportRefused } from '../refused.ts'
import { checkerOf, readText, readFrontMatter } from './files.ts'
import { bodyOf, plainText } from './markdown.ts'
import { drawnPortrait, picturedFile } from './pictures.ts'
import { changedBy, created, type Piece } from './piece.ts'
import { AuthorFile } from './schemas.ts'

const check = checkerOf(AuthorFile)

/** `authors/<slug>.md`: an author or speaker, with a few sentences about them. */
export async function readAuthor(path: string): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { firstName, lastName, colours, image } = check(keys, lines)
  const name = fullName({ firstName, lastName })
  const slug = slugOf(name)
  if (basename(path) !== `${slug}.md`)
    throw new ImportRefused(`is the file of ${name}, whom articles call ${slug}: name it ${slug}.md.`)
  const picture =
    image === 'none'
      ? undefined
      : image === undefined
        ? drawnPortrait(name, colours)
        : await picturedFile(path, image)
  const { html, lost } = await bodyOf(body)
  const desired = {
    firstName,
    lastName,
    pictureId: picture?.id ?? null,
    biography: plainText(html) || null,
  }
  return {
    about: name,
    pictures: picture ? [picture] : [],
    sounds: [],
    warnings: lost,
    apply: async (tx, { dryRun }) => {
      const key = nameKey({ firstName, lastName })
      const [standing] = await tx.select().from(editorialAuthors).where(eq(editorialAuthors.nameKey, key))
      const changes = standing
        ? (['firstName', 'lastName', 'pictureId', 'biography'] as const)
            .filter((field) => standing[field] !== desired[field])
            .map((field) => AUTHOR_WORDS[field])
        : []
      if (!dryRun && (!standing || changes.length > 0))
        await tx
          .insert(editorialAuthors)
          .values({ ...desired, nameKey: key })
          .onConflictDoUpdate({ target: editorialAuthors.nameKey, set: desired })
      return standing ? changedBy([...new Set(changes)]) : created
    },
  }
}

const AUTHOR_WORDS = {
  firstName: 'spelling',
  lastName: 'spelling',
  pictureId: 'picture',
  biography: 'biography',
} as const
