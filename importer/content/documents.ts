import { basename } from 'node:path'
import { eq, asc } from 'drizzle-orm'
import { faqCategories, faqs, infoPages } from '#server/db/schema/pages.ts'
import { keptByOffice } from '#server/features/documents/folder.ts'
import { htmlToMarkdown } from '#server/features/documents/html-to-markdown.ts'
import { writeFaqCategory, writePage } from '#server/features/pages/write-queries.ts'
import { changedFields } from '../desired.ts'
import { ImportRefused } from '../refused.ts'
import { checkerOf, readText, readFrontMatter } from './files.ts'
import { bodyOf, plainText } from '#server/features/documents/markdown.ts'
import { type PlannedPicture, writtenPicture, drawnPortrait, picturedFile } from './pictures.ts'
import { changedBy, created, type Piece, piece } from './piece.ts'
import { PageFile, FaqFile, AuthorFile } from './schemas.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '#server/db/open.ts'
import { SHOP_PARTS, type ShopPart } from '#contract/shop-details.ts'
import { editorialAuthors } from '#server/db/schema/editorial.ts'
import { fullName, nameKey, slugOf } from '#server/features/catalogue/names.ts'

const checkPage = checkerOf(PageFile)

/** `pages/<slug>.md` */
export async function readPage(path: string): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { title, part = null } = checkPage(keys, lines)
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
  const desired = { title, content: html, part }
  return piece(
    title,
    async (tx, { dryRun }) => {
      const kept = await keptByOffice(tx, { kind: 'page', key: slug, dryRun }, () => ({
        title,
        body: htmlToMarkdown(html),
        part,
      }))
      if (kept) return { ...changedBy([]), warnings: kept.notes }
      const [standing] = await tx.select().from(infoPages).where(eq(infoPages.slug, slug))
      const changes = standing ? changedFields(standing, desired, { content: 'text' }) : []
      if (!dryRun && (!standing || changes.length > 0)) await writePage(tx, slug, desired)
      return standing ? changedBy(changes) : created
    },
    { pictures, warnings: lost },
  )
}

interface Question {
  readonly question: string
  readonly answer: string
  readonly published: boolean
  readonly part: ShopPart | null
}

const checkFaq = checkerOf(FaqFile)
/** Matches `## (unpublished) Will there be …?` and `## (cards) What is …?`. */
const MARK = new RegExp(`^\\((unpublished|${SHOP_PARTS.join('|')})\\)\\s*`, 'i')

/** `faq/NN-name.md`: each second-level heading is a question, the text below it the answer. */
export async function readFaq(path: string): Promise<Piece & { readonly category: string }> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { name, part: ofAll = null } = checkFaq(keys, lines)
  const position = Number(/^\d+/.exec(basename(path))?.[0] ?? 1_000)
  const [before, ...parts] = `\n${body}`.split(/\n##[ \t]+/)
  if (before!.trim())
    throw new ImportRefused('A question begins with two hashes; the text before the first one has none.')
  const questions: Question[] = []
  const lost: string[] = []
  for (const part of parts) {
    const [heading = '', ...answer] = part.split('\n')
    const mark = MARK.exec(heading)?.[1]?.toLowerCase()
    const rich = await bodyOf(answer.join('\n'))
    lost.push(...rich.lost)
    questions.push({
      question: heading.replace(MARK, '').replace(/\s*#*\s*$/, ''),
      answer: rich.html,
      published: mark !== 'unpublished',
      part: SHOP_PARTS.find((each) => each.toLowerCase() === mark) ?? ofAll,
    })
  }
  const unanswered = questions.find(({ answer, published }) => published && answer === '')
  if (unanswered) throw new ImportRefused(`“${unanswered.question}” has no answer.`)

  return {
    category: name,
    about: `${name}, ${questions.length} ${questions.length === 1 ? 'question' : 'questions'}`,
    pictures: [],
    sounds: [],
    warnings: [...new Set(lost)],
    apply: async (tx, { dryRun }) => {
      const kept = await keptByOffice(tx, { kind: 'faq', key: 'faq', dryRun }, (before) => {
        const own = {
          name,
          questions: questions.map(({ answer, ...each }) => ({ ...each, answer: htmlToMarkdown(answer) })),
        }
        return before.categories.some((category) => category.name === name)
          ? { categories: before.categories.map((category) => (category.name === name ? own : category)) }
          : { categories: [...before.categories, own] }
      })
      if (kept) return { ...changedBy([]), warnings: kept.notes }
      const [standing] = await tx.select().from(faqCategories).where(eq(faqCategories.name, name))
      const asked = standing ? await selectQuestions(tx, standing.id) : []
      const changes = [
        ...(standing && standing.position !== position ? ['place'] : []),
        ...(standing && !isDeepStrictEqual(asked, questions) ? ['questions'] : []),
      ]
      if (!dryRun && (!standing || changes.length > 0))
        await writeFaqCategory(tx, { name, position, questions })
      return standing ? changedBy(changes) : created
    },
  }
}

const selectQuestions = (tx: Transaction, categoryId: number): Promise<Question[]> =>
  tx
    .select({ question: faqs.question, answer: faqs.answer, published: faqs.published, part: faqs.part })
    .from(faqs)
    .where(eq(faqs.categoryId, categoryId))
    .orderBy(asc(faqs.position))

const checkAuthor = checkerOf(AuthorFile)

/** `authors/<slug>.md` */
export async function readAuthor(path: string): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { firstName, lastName, colours, image } = checkAuthor(keys, lines)
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
  return piece(
    name,
    async (tx, { dryRun }) => {
      const key = nameKey({ firstName, lastName })
      const [standing] = await tx.select().from(editorialAuthors).where(eq(editorialAuthors.nameKey, key))
      const changes = standing ? changedFields(standing, desired, AUTHOR_WORDS) : []
      if (!dryRun && (!standing || changes.length > 0))
        await tx
          .insert(editorialAuthors)
          .values({ ...desired, nameKey: key })
          .onConflictDoUpdate({ target: editorialAuthors.nameKey, set: desired })
      return standing ? changedBy(changes) : created
    },
    { pictures: picture ? [picture] : [], warnings: lost },
  )
}

const AUTHOR_WORDS = {
  firstName: 'spelling',
  lastName: 'spelling',
  pictureId: 'picture',
}
