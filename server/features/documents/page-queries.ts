import { asc, eq } from 'drizzle-orm'
import { FaqContent, type Missing, PageContent } from '#contract/office/documents.ts'
import type { Db } from '../../db/open.ts'
import { faqCategories, faqs, infoPages } from '../../db/schema/pages.ts'
import { deletePage, dropOtherCategories, writeFaqCategory, writePage } from '../pages/write-queries.ts'
import { type DocumentType, isBlank } from './document-type.ts'
import { htmlOf, missingPictures } from './picture-queries.ts'

export const pageType: DocumentType<PageContent> = {
  schema: PageContent,
  async read(db, key) {
    const [page] = await db.select().from(infoPages).where(eq(infoPages.slug, key))
    if (!page) return undefined
    const { title, content, part } = page
    const { htmlToMarkdown } = await import('./html-to-markdown.ts')
    return { content: { title, body: htmlToMarkdown(content), part }, isShown: true }
  },
  async write(db, key, { title, body, part }) {
    await writePage(db, key, { title, content: await htmlOf(db, body), part })
  },
  remove: (db, key) => deletePage(db, key),
  async missing(db, { title, body }) {
    const gaps = [...body.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, gap]) => gap)
    return [
      ...(isBlank(title) ? [{ field: 'title', words: 'It needs a title.' }] : []),
      ...(isBlank(body) ? [{ field: 'body', words: 'There’s no text yet.' }] : []),
      ...gaps.map((gap) => ({ field: 'body', words: `Fill the gap “${gap}”.` })),
      ...(await missingPictures(db, body)),
    ]
  },
  titleOf: ({ title }) => title,
  addressOf: (key) => `/info/${key}`,
}

export const faqType: DocumentType<FaqContent> = {
  schema: FaqContent,
  read: async (db) => ({ content: { categories: await readCategories(db) }, isShown: true }),
  async write(db, _key, { categories }) {
    await dropOtherCategories(
      db,
      categories.map(({ name }) => name),
    )
    for (const [index, { name, questions }] of categories.entries())
      await writeFaqCategory(db, {
        name,
        position: index + 1,
        questions: await Promise.all(
          questions.map(async ({ answer, ...each }) => ({ ...each, answer: await htmlOf(db, answer) })),
        ),
      })
  },
  async missing(_db, { categories }) {
    const names = categories.map(({ name }) => name.trim())
    return categories.flatMap(({ name, questions }, at): Missing[] => [
      ...(isBlank(name) ? [{ field: `categories.${at}.name`, words: 'This group needs a name.' }] : []),
      ...(!isBlank(name) && names.indexOf(name.trim()) < at
        ? [{ field: `categories.${at}.name`, words: `Two groups are called “${name.trim()}”.` }]
        : []),
      ...questions.flatMap(({ question, answer, published }, place): Missing[] => [
        ...(isBlank(question)
          ? [{ field: `categories.${at}.questions.${place}.question`, words: 'Ask the question.' }]
          : []),
        ...(isBlank(answer) && published
          ? [
              {
                field: `categories.${at}.questions.${place}.answer`,
                words: `“${question}” has no answer.`,
              },
            ]
          : []),
      ]),
    ])
  },
  titleOf: () => 'Questions and answers',
  addressOf: () => '/faq',
}

async function readCategories(db: Db): Promise<FaqContent['categories']> {
  const rows = await db
    .select({ category: faqCategories, faq: faqs })
    .from(faqCategories)
    .leftJoin(faqs, eq(faqs.categoryId, faqCategories.id))
    .orderBy(asc(faqCategories.position), asc(faqCategories.id), asc(faqs.position))
  const { htmlToMarkdown } = await import('./html-to-markdown.ts')
  const categories = new Map<number, FaqContent['categories'][number]>()
  for (const { category, faq } of rows) {
    const one = categories.get(category.id) ?? { name: category.name, questions: [] }
    categories.set(category.id, one)
    if (!faq) continue
    const { question, answer, published, part } = faq
    one.questions.push({ question, answer: htmlToMarkdown(answer), published, part })
  }
  return [...categories.values()]
}
