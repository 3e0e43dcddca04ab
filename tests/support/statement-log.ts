import pg from 'pg'

type Query = (...given: unknown[]) => unknown

export interface HeardQuery {
  readonly text: string
  readonly values: unknown[]
}

/** The statements that this process sends to its database during `work`, in order. */
export async function heardQueries(work: () => Promise<unknown>): Promise<HeardQuery[]> {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the client it was called on
  const query = pg.Client.prototype.query as Query
  const heard: HeardQuery[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const { text = '', values = Array.isArray(second) ? second : [] } =
      typeof first === 'string' ? { text: first } : (first as { text?: string; values?: unknown[] })
    heard.push({ text, values })
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  }
  return heard
}

export const heardStatements = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await heardQueries(work)).map(({ text }) => text)
