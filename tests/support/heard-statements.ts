import pg from 'pg'

type Query = (...given: unknown[]) => unknown

/** What this process asked its database meanwhile: the texts of the statements, in their order. */
export async function heardStatements(work: () => Promise<unknown>): Promise<string[]> {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the client it was called on
  const query = pg.Client.prototype.query as Query
  const heard: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text?: string } | null)?.text
    heard.push(text ?? '')
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  }
  return heard
}
