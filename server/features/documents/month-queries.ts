import { sql } from 'drizzle-orm'
import { type Missing, MonthContent, type MonthTitle } from '#contract/office/documents.ts'
import { selectLatestMonth, selectMarked } from '../catalogue/months-queries.ts'
import {
  followMonth,
  MONTH_LISTS,
  monthName,
  monthNow,
  removeMonth,
  storeMonth,
} from '../catalogue/months.ts'
import { type DocumentType, isBlank } from './document-type.ts'

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

export const monthType: DocumentType<MonthContent> = {
  schema: MonthContent,
  /** A month without a plan proposes what would be shown in it. */
  async read(db, key) {
    if (!MONTH.test(key)) return undefined
    const plan = await selectLatestMonth(db, key)
    const { highlights, editions } = plan ?? {
      highlights: await selectMarked(db, 'highlights'),
      editions: await selectMarked(db, 'editions'),
    }
    const isProposal = plan !== undefined && plan.month !== key
    return { content: { highlights, editions }, isShown: !isProposal, isProposal }
  },
  async write(db, key, { highlights, editions }) {
    await storeMonth(db, key, { highlights: highlights.map(trimmed), editions: editions.map(trimmed) })
  },
  remove: removeMonth,
  async follow(tx, shop) {
    await followMonth(tx, monthNow(shop), shop.now())
  },
  async missing(db, content) {
    const slugs = MONTH_LISTS.flatMap((list) => content[list].map(({ slug }) => slug))
    const { rows } = await db.execute<{ slug: string }>(
      sql`select distinct slug from books where format in ('audio_book', 'e_book') and slug = any(${sql.param(slugs)}::text[])`,
    )
    const known = new Set(rows.map(({ slug }) => slug))
    return [
      ...(slugs.length === 0
        ? [{ field: 'highlights', words: 'A month needs a title that members can choose.' }]
        : []),
      ...MONTH_LISTS.flatMap((list) =>
        content[list].flatMap(({ slug, words, by }, at): Missing[] => {
          const field = `${list}.${at}`
          return [
            ...(known.has(slug) ? [] : [{ field, words: `The shop has no title “${slug}”.` }]),
            ...(content[list].findIndex((title) => title.slug === slug) < at
              ? [{ field, words: `“${slug}” is there twice.` }]
              : []),
            ...(isBlank(words) === isBlank(by)
              ? []
              : [
                  {
                    field,
                    words: isBlank(by)
                      ? 'Say who says these words.'
                      : 'Say what they say about it, or no name.',
                  },
                ]),
          ]
        }),
      ),
    ]
  },
  titleOf: (_content, key) => monthName(key),
  addressOf: () => '/',
}

const trimmed = ({ slug, words, by }: MonthTitle): MonthTitle => ({
  slug,
  words: words.trim(),
  by: by.trim(),
})
