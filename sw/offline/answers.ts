import type { Catalogue } from '#contract/calculations/indexed-catalogue.ts'
import { BOOK_ANSWERS } from './books.ts'
import { JOURNAL_ANSWERS } from './journal.ts'
import { LOOKUP_ANSWERS } from './lookups.ts'
import { SEARCH_ANSWERS } from './search.ts'

const ANSWERS = Object.entries({
  ...BOOK_ANSWERS,
  ...JOURNAL_ANSWERS,
  ...LOOKUP_ANSWERS,
  ...SEARCH_ANSWERS,
}).map(([name, answer]) => ({
  pattern: new RegExp(`^${name.replace('GET ', '').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parameters and query fit the call whose address it is
  answer: answer as unknown as (asked: {
    catalogue: Catalogue
    params: Record<string, string>
    query: Record<string, QueryValue>
    url: string
  }) => unknown,
}))
// Match paths without parameters first: `second_editions` and `latest` are not slugs.
ANSWERS.sort(
  (one, other) => Number(one.pattern.source.includes('?<')) - Number(other.pattern.source.includes('?<')),
)

export const isAnswerable = ({ pathname }: Pick<URL, 'pathname'>): boolean =>
  ANSWERS.some(({ pattern }) => pattern.test(pathname))

export async function answerOf(catalogue: Catalogue, address: URL): Promise<unknown> {
  for (const { pattern, answer } of ANSWERS) {
    const found = pattern.exec(address.pathname)
    if (!found) continue
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
    return answer({
      catalogue,
      params,
      query: queryIn(address.searchParams),
      url: address.pathname + address.search,
    })
  }
  return undefined
}

type QueryValue = string | number | boolean | readonly number[] | readonly string[]

const TEXTS: ReadonlySet<string> = new Set(['keyword', 'spiSIN', 'sort', 'direction'])
const IDS: ReadonlySet<string> = new Set(
  'styles categories locations publishers authorsNationality types'.split(' '),
)

/** Parses the query as the server does: comma-separated or repeated lists, numbers, booleans. */
function queryIn(search: URLSearchParams): Record<string, QueryValue> {
  const query: Record<string, QueryValue> = {}
  for (const name of new Set(search.keys())) {
    const texts = search.getAll(name)
    if (TEXTS.has(name)) query[name] = texts.at(-1)!
    else if (name === 'search[]') query[name] = texts.flatMap((text) => text.split(','))
    else if (name.endsWith('[]') || IDS.has(name))
      query[name] = texts.flatMap((text) => text.split(',').filter(Boolean).map(Number))
    else query[name] = valueOf(texts.at(-1)!)
  }
  return query
}

const valueOf = (text: string) => (text === 'true' ? true : text === 'false' ? false : Number(text))
