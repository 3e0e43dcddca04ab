export interface Page {
  /** The key of the previous page's last row; null for the first page. */
  readonly after: string | null
  readonly limit: number
}

/**
 * All rows of a query, in pages and each row once: a page starts after the key of the previous page's last row. So rows
 * may be added, removed or changed while they are processed.
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

/** The same, one row after another. */
export async function* eachRow<Row>(
  select: (page: Page) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  limit = 100,
): AsyncGenerator<Row, void, undefined> {
  for await (const page of inPages(select, keyOf, limit)) yield* page
}
