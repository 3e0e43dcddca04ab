import { answerTo, type BareServer, type Generator } from '../children.ts'
import { compare } from '../compare.ts'
import type { LoadRequest } from '../load/requests.ts'
import { rateRow, type Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const CONNECTIONS = 16
const VISITOR = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br, zstd', 'user-agent': 'Murmur bench' }

export async function measureLists(
  { server, stock, forgetAnswers }: MeasuredShop,
  generator: Generator,
  bare: BareServer,
): Promise<Row[]> {
  const rate = async (
    what: string,
    least: number,
    requests: readonly LoadRequest[],
    before?: () => Promise<void>,
  ) => {
    await bare.imitate(server.port, requests.at(-1)!)
    const sides = { port: server.port, referencePort: bare.port, ...(before ? { before, rounds: 5 } : {}) }
    return rateRow(
      what,
      await compare(
        generator,
        { connections: CONNECTIONS, requests, ...(before ? { seconds: 1 } : {}) },
        sides,
      ),
      least,
    )
  }

  const list = { path: '/api/audio_books?page=1', headers: VISITOR }
  const item = { path: `/api/audio_books/title-number-${stock.titles - 3}`, headers: VISITOR }
  const page = {
    path: `/audiobooks/title-number-${stock.titles - 3}`,
    headers: { ...VISITOR, accept: 'text/html' },
  }
  // Fill the cache first.
  for (const kept of [list, item, page]) await answerTo(server.port, kept)
  return [
    await rate('cached list', 0.6, [list]),
    await rate('cached item', 0.6, [item]),
    await rate('whole page from memory', 0.4, [page]),
    await rate(
      'a list, of listeners',
      0.3,
      stock.listeners.map(({ headers }, n) => ({
        path: `/api/audio_books?page=${1 + (n % 50)}`,
        headers: { ...VISITOR, ...headers },
      })),
    ),
    await rate('a list, pages nobody asked for yet', 0.1, pagesOnce(stock.titles), forgetAnswers),
  ]
}

/** The membership is queried together with the rest: a member must not wait longer for a list than other listeners. */
export async function measureMembersLists(
  { server: { port }, stock }: Pick<MeasuredShop, 'server' | 'stock'>,
  generator: Generator,
): Promise<Row> {
  const listsOf = (isMember: boolean): LoadRequest[] =>
    stock.listeners
      .filter((listener) => listener.isMember === isMember)
      .map(({ headers }, n) => ({
        path: `/api/audio_books?page=${1 + (n % 50)}`,
        headers: { ...VISITOR, ...headers },
      }))
  const load = { connections: CONNECTIONS, requests: listsOf(true) }
  const sides = { port, referencePort: port, referenceLoad: { requests: listsOf(false) } }
  return rateRow('a member’s list, against a listener’s', await compare(generator, load, sides), 0.9)
}

/** More distinct URLs than one round requests: every page of every style. */
function pagesOnce(titles: number): LoadRequest[] {
  const pages = Math.floor((titles * 2) / 3 / 12 / 6) - 10
  return Array.from({ length: pages * 6 }, (_, n) => ({
    path: `/api/audio_books?styles[]=${1 + (n % 6)}&page=${1 + Math.floor(n / 6)}`,
    headers: VISITOR,
  }))
}
