import { eq, notInArray } from 'drizzle-orm'
import type { ShopPart } from '#contract/shop-details.ts'
import type { Db } from '../../db/open.ts'
import { faqCategories, faqs, infoPages } from '../../db/schema/pages.ts'

export async function writePage(
  db: Db,
  slug: string,
  values: { readonly title: string; readonly content: string; readonly part: ShopPart | null },
): Promise<void> {
  await db
    .insert(infoPages)
    .values({ slug, ...values })
    .onConflictDoUpdate({ target: infoPages.slug, set: values })
}

export async function deletePage(db: Db, slug: string): Promise<void> {
  await db.delete(infoPages).where(eq(infoPages.slug, slug))
}

export interface WrittenQuestion {
  readonly question: string
  readonly answer: string
  readonly published: boolean
  readonly part: ShopPart | null
}

/** With exactly these questions. */
export async function writeFaqCategory(
  db: Db,
  {
    name,
    position,
    questions,
  }: { readonly name: string; readonly position: number; readonly questions: readonly WrittenQuestion[] },
): Promise<void> {
  const [row] = await db
    .insert(faqCategories)
    .values({ name, position })
    .onConflictDoUpdate({ target: faqCategories.name, set: { position } })
    .returning({ id: faqCategories.id })
  const categoryId = row!.id
  await db.delete(faqs).where(eq(faqs.categoryId, categoryId))
  if (questions.length > 0)
    await db
      .insert(faqs)
      .values(questions.map((each, index) => ({ categoryId, position: index + 1, ...each })))
}

export async function dropOtherCategories(
  db: Db,
  names: readonly string[],
  dryRun = false,
): Promise<string[]> {
  const gone = await db
    .select({ id: faqCategories.id, name: faqCategories.name })
    .from(faqCategories)
    .where(notInArray(faqCategories.name, [...names]))
  if (!dryRun) for (const { id } of gone) await db.delete(faqCategories).where(eq(faqCategories.id, id))
  return gone.map(({ name }) => name)
}
