import type { Book, BookCard } from '#contract/catalogue.ts'
import { CATALOGUE_CHECKED_HEADER } from '#storage/messages.ts'
import type { Catalogue } from '#contract/calculations/indexed-catalogue.ts'
import type { CachedAnswer } from '../kept-answers.ts'
import { storedCatalogue } from './stored-index.ts'
import { BOOK_ANSWERS } from './books.ts'
import { JOURNAL_ANSWERS } from './journal.ts'
import { LOOKUP_ANSWERS } from './lookups.ts'
import { SEARCH_ANSWERS } from './search.ts'

const BOOK_PAGE = /^\/api\/(?:audio_books|e_books)\/[^/]+$/

/**
 * This device's answer in place of the server's: the newer of the cached answer and one built from the stored catalogue.
 * A cached book page keeps its sample and chapters, and takes its prices from a newer catalogue.
 */
export async function offlineAnswer(
  address: URL,
  kept: CachedAnswer | undefined,
): Promise<CachedAnswer | undefined> {
  if (!isAnswerable(address)) return kept
  const stored = await storedCatalogue()
  if (!stored) return kept
  const ageMs = Date.now() - stored.checkedAt
  if (kept && kept.ageMs <= ageMs) return kept
  const made = await answerOf(stored.catalogue, address)
  if (made === undefined) return kept
  const body =
    kept && BOOK_PAGE.test(address.pathname)
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is made for the address of a book
        withCard((await kept.response.json()) as Book, made as Book)
      : made
  const headers = {
    'content-type': 'application/ld+json; charset=utf-8',
    [CATALOGUE_CHECKED_HEADER]: `${stored.checkedAt}${stored.catalogue.complete ? '' : ' partial'}`,
  }
  return { response: new Response(JSON.stringify(body), { headers }), ageMs }
}

const FROM_CARD = [
  'price',
  'subscriptionPrice',
  'published',
  'geoBlocked',
  'edition',
  'secondEdition',
  'currentlyHighlighted',
  'availableAsCard',
  'inStep',
  'audioBook',
  'eBook',
] as const satisfies readonly (keyof BookCard | 'audioBook' | 'eBook')[]

const withCard = (kept: Book, made: Book) => ({
  ...kept,
  ...Object.fromEntries(FROM_CARD.map((name) => [name, made[name]])),
})

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

const isAnswerable = ({ pathname }: Pick<URL, 'pathname'>): boolean =>
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
