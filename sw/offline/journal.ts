import { isOver } from '#contract/calculations/event-time.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { EditorialCard, EditorialItem } from '#contract/editorial.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { cardOf, type Catalogue } from '#contract/calculations/indexed-catalogue.ts'
import type { Answers } from './answer.ts'
import { articleExcerpts, byTitle, murmurationOf, newestFirst, findArticles } from './search.ts'

/** CONST: the journal has pages of five. */
const PAGE = 5

const KINDS = { articles: 'article', interviews: 'interview', discussions: 'discussion' } as const

export const JOURNAL_ANSWERS: Answers<
  | 'GET /api/articles'
  | 'GET /api/articles/{id}'
  | 'GET /api/interviews'
  | 'GET /api/interviews/{id}'
  | 'GET /api/discussions'
  | 'GET /api/discussions/{id}'
  | 'GET /api/murmurations'
  | 'GET /api/types/murmurations'
> = {
  'GET /api/articles': (asked) => kindPage('article', 'Article', asked),
  'GET /api/articles/{id}': ({ catalogue, params }) => itemOf(catalogue, 'article', params.id),
  'GET /api/interviews': (asked) => kindPage('interview', 'Interview', asked),
  'GET /api/interviews/{id}': ({ catalogue, params }) => itemOf(catalogue, 'interview', params.id),
  'GET /api/discussions': (asked) => kindPage('discussion', 'Discussion', asked),
  'GET /api/discussions/{id}': ({ catalogue, params }) => itemOf(catalogue, 'discussion', params.id),
  'GET /api/types/murmurations': ({ catalogue, url }) =>
    catalogue.journal
      ? hydraList({
          type: 'MurmurationType',
          url,
          members: catalogue.types,
          total: catalogue.types.length,
          page: 1,
          itemsPerPage: 200,
        })
      : undefined,
  'GET /api/murmurations': async ({ catalogue, query, url }) => {
    if (!catalogue.journal) return undefined
    const page = pageOf(query, PAGE)
    const kinds = query['search[]']?.map((kind) => KINDS[kind])
    const fits = ({ entityType, type }: EditorialCard) =>
      (!kinds?.length || kinds.includes(entityType)) &&
      (!query.types?.length || (type !== null && query.types.includes(type.id)))
    const from = (page.page - 1) * page.itemsPerPage
    const list = (found: readonly EditorialCard[]) =>
      hydraList({
        type: 'Murmuration',
        url,
        members: found.slice(from, from + page.itemsPerPage).map(murmurationOf),
        total: found.length,
        ...page,
      })
    if (query.keyword === undefined) return list(sorted(catalogue.articles.filter(fits), query, true))
    const { found, didYouMean } = await findArticles(catalogue, query.keyword, fits)
    const isByRelevance = (query.sort ?? 'relevance') === 'relevance'
    const inOrder = isByRelevance ? found : sorted(newestFirst(found), query, false)
    const shown = inOrder.slice(from, from + page.itemsPerPage)
    const excerpts = articleExcerpts(catalogue, shown, didYouMean ?? query.keyword)
    return { ...list(inOrder), excerpts, didYouMean }
  },
}

/** @param isIdUp sorts equal titles by ascending id, as the journal's lists do and the search does not */
function sorted(
  newest: readonly EditorialCard[],
  { sort, direction }: { readonly sort?: string; readonly direction?: 'asc' | 'desc' },
  isIdUp: boolean,
): readonly EditorialCard[] {
  if (sort !== 'title') return direction === 'asc' ? [...newest].reverse() : newest
  const fromEnd = direction === 'desc'
  return [...newest].sort(
    (one, other) =>
      (fromEnd ? -1 : 1) * byTitle(one.title, other.title) ||
      (isIdUp && !fromEnd ? one.id - other.id : other.id - one.id),
  )
}

type CardOf<K> = Extract<EditorialCard, { entityType: K }>

function kindPage<K extends EditorialCard['entityType']>(
  kind: K,
  type: string,
  {
    catalogue,
    query,
    url,
  }: {
    readonly catalogue: Catalogue
    readonly query: Parameters<typeof pageOf>[0]
    readonly url: string
  },
) {
  if (!catalogue.journal) return undefined
  const page = pageOf(query, PAGE)
  const all = catalogue.articles.filter((card): card is CardOf<K> => card.entityType === kind)
  const from = (page.page - 1) * page.itemsPerPage
  return hydraList({
    type,
    url,
    members: all.slice(from, from + page.itemsPerPage),
    total: all.length,
    ...page,
  })
}

function itemOf<K extends EditorialCard['entityType']>(catalogue: Catalogue, kind: K, slug: string) {
  const card = catalogue.articles.find((each) => each.entityType === kind && each.slug === slug)
  const text = card && catalogue.texts.find(({ id }) => id === card.id)
  if (!text) return undefined
  const { books, id: _, ...page } = text
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- card and text are of one piece, whose kind was asked for
  return {
    '@context': `/api/contexts/${card['@type']}`,
    ...card,
    ...page,
    over: isOver({ startsAt: card.startsAt, endsAt: text.endsAt }, new Date()),
    relatedBooks: books.flatMap((id) => {
      const book = catalogue.bookBy.get(id)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pieces speak of audiobooks
      return book ? [cardOf(catalogue, book) as AudioBookCard] : []
    }),
  } as unknown as Extract<EditorialItem, { entityType: K }>
}
