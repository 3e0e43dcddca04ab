export interface Page {
  /** The key of the last row before it; null for the first page. */
  readonly after: string | null
  readonly limit: number
}

/**
 * All rows of a query, a page at a time and each row once: the next page begins after the key of the last row of this
 * one. So rows may come and go, or be changed, while they are worked on.
 */
export async function* inPages<Row>(
  select: (page: Page) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  limit = 100,
): AsyncGenerator<Row[], void, undefined> {
  for (let after: string | null = null; ;) {
    const page = await select({ after, limit })
    yield page
    if (page.length < limit) return
    after = keyOf(page.at(-1)!)
  }
}
