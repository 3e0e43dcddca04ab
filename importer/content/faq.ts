import { isDeepStrictEqual } from 'node:util'
import { asc, eq, notInArray } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'
import { faqCategories, faqs } from '#server/db/schema/pages.ts'
import { basename } from 'node:path'
import { SHOP_PARTS, type ShopPart } from '#contract/shop-details.ts'
import { ImportRefused } from '../refused.ts'
import { checkerOf, readText, readFrontMatter } from './files.ts'
import { bodyOf } from './markdown.ts'
import { changedBy, created, type Piece } from './piece.ts'
import { FaqFile } from './schemas.ts'

interface Question {
  readonly question: string
  /** Sanitised HTML. */
  readonly answer: string
  readonly published: boolean
  /** The optional part of the shop that the question is about, or null. */
  readonly part: ShopPart | null
}

const check = checkerOf(FaqFile)
/** Matches `## (unpublished) Will there be …?` and `## (cards) What is …?`. */
const MARK = new RegExp(`^\\((unpublished|${SHOP_PARTS.join('|')})\\)\\s*`, 'i')

/** `faq/NN-name.md`: a category of questions. Each question is a second-level heading with its answer below. */
export async function readFaq(path: string): Promise<Piece & { readonly category: string }> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const { name, part: ofAll = null } = check(keys, lines)
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
      const [standing] = await tx.select().from(faqCategories).where(eq(faqCategories.name, name))
      const asked = standing ? await selectQuestions(tx, standing.id) : []
      const changes = [
        ...(standing && standing.position !== position ? ['place'] : []),
        ...(standing && !isDeepStrictEqual(asked, questions) ? ['questions'] : []),
      ]
      if (!dryRun && (!standing || changes.length > 0)) {
        const [row] = await tx
          .insert(faqCategories)
          .values({ name, position })
          .onConflictDoUpdate({ target: faqCategories.name, set: { position } })
          .returning({ id: faqCategories.id })
        const categoryId = row!.id
        await tx.delete(faqs).where(eq(faqs.categoryId, categoryId))
        if (questions.length > 0)
          await tx
            .insert(faqs)
            .values(questions.map((each, index) => ({ categoryId, position: index + 1, ...each })))
      }
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

/** Removes categories without a file, because the folder holds all questions. Returns their names for the report. */
export async function dropOtherCategories(
  tx: Transaction,
  names: readonly string[],
  dryRun: boolean,
): Promise<string[]> {
  const gone = await tx
    .select({ id: faqCategories.id, name: faqCategories.name })
    .from(faqCategories)
    .where(notInArray(faqCategories.name, [...names]))
  if (!dryRun) for (const { id } of gone) await tx.delete(faqCategories).where(eq(faqCategories.id, id))
  return gone.map(({ name }) => name)
}
