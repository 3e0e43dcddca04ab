export interface Page {
  readonly after: string | null
  readonly limit: number
}

/** Yields each row once, by key, so rows may be added, removed or changed while they are processed. */
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

export async function* eachRow<Row>(
  select: (page: Page) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  limit = 100,
): AsyncGenerator<Row, void, undefined> {
  for await (const page of inPages(select, keyOf, limit)) yield* page
}
