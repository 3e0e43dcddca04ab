import type { Generator } from '../children.ts'
import { refuseFailures } from '../compare.ts'
import type { LoadRequest } from '../load/requests.ts'
import type { Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const SECONDS = 20
const MOST_MS = { lists: 20, search: 30 }
const LOOP_MS = 50
const VISITOR = { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'Murmur bench' }

/** How long a visitor waits for an answer that is not cached, and how long that blocks the event loop. */
export async function measureAnswers(
  { server, stock, forgetAnswers }: MeasuredShop,
  generator: Generator,
): Promise<Row[]> {
  const wait = async (what: string, paths: readonly string[], mostMs: number): Promise<Row> => {
    await forgetAnswers()
    // Each from another IP address, because searches are rate-limited per address.
    const requests = paths.map((path, n): LoadRequest => ({
      path,
      headers: { ...VISITOR, 'x-forwarded-for': `203.0.${n % 200}.${Math.floor(n / 200)}` },
    }))
    // Send each request once, because answers are cached.
    const load = { port: server.port, connections: 1, seconds: SECONDS, requests, once: true }
    const found = await generator.run(load)
    refuseFailures(found, load)
    return {
      what,
      figures: `${found.answers} answers, median ${found.medianMs.toFixed(1)} ms, 95th percentile`,
      value: found.p95Ms,
      unit: 'ms',
      goal: { most: mostMs },
    }
  }

  await server.longestWaitMs()
  const rows = [await wait('a list with filters, any page', filteredPages(stock.titles), MOST_MS.lists)]
  for (const [what, keywords] of Object.entries(stock.searches))
    rows.push(await wait(`a search: ${what}`, keywords.map(searchPath), MOST_MS.search))
  const longest = await server.longestWaitMs()
  return [
    ...rows,
    {
      what: 'the event loop’s longest wait meanwhile',
      figures: '',
      value: longest,
      unit: 'ms',
      goal: { most: LOOP_MS },
    },
  ]
}

const searchPath = (keyword: string, index: number) =>
  index % 2 === 0
    ? `/api/search_books?keyword=${encodeURIComponent(keyword)}`
    : `/api/quick_results?keyword=${encodeURIComponent(keyword)}`

function filteredPages(titles: number): string[] {
  const filters = [
    (n: number) => `styles[]=${1 + (n % 6)}`,
    (n: number) => `categories[]=${1 + (n % 6)}`,
    (n: number) => `locations[]=${1 + (n % 5)}`,
    (n: number) => `nationalities[]=${1 + (n % 8)}`,
    (n: number) => `publishers[]=${1 + (n % 200)}`,
    (n: number) => `lengthHours[gte]=${1 + (n % 8)}`,
    () => 'lengthHours[lte]=9',
  ]
  return Array.from({ length: 3_000 }, (_, n) => {
    const chosen = filters.filter((_filter, place) => (n >> place) % 2 === 1 && place % 3 !== n % 3)
    const share = chosen.length === 0 ? 1 : 1 / 6 ** chosen.length
    const lastPage = Math.max(1, Math.floor((titles * 0.6 * share) / 12))
    const page = 1 + ((n * 7919) % lastPage)
    return `/api/audio_books?${[...chosen.map((filter) => filter(n)), `page=${page}`].join('&')}`
  })
}
