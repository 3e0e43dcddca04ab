import * as contract from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { hydraList, pageOf, type PageOf } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import {
  countRows,
  selectCategories,
  selectNationalities,
  selectPublisher,
  selectPublishers,
  selectTitled,
} from './lookup-queries.ts'
import {
  categoryItem,
  locationItem,
  nationalityItem,
  publisherItem,
  styleItem,
} from './lookup-serializers.ts'

interface LookupCall {
  readonly query: Parameters<typeof pageOf>[0]
  readonly url: string
}

export function registerLookups(server: ApiServer): void {
  const { db } = server.shop

  const list =
    <Row, Item>(
      type: string,
      table: Parameters<typeof countRows>[1],
      rowsOf: (slice: { offset: number; limit: number }) => Promise<Row[]>,
      view: (row: Row) => Item,
      usual = 30,
    ) =>
    async ({ query, url }: LookupCall) => {
      const page = pageOf(query, usual)
      const [rows, total] = await Promise.all([rowsOf(sliceOf(page)), countRows(db, table)])
      return hydraList({ type, url, members: rows.map(view), total, ...page })
    }

  serve(
    server,
    contract.listStyles,
    list('Style', 'styles', (slice) => selectTitled(db, 'styles', slice), styleItem),
  )
  serve(
    server,
    contract.listLocations,
    list('Location', 'locations', (slice) => selectTitled(db, 'locations', slice), locationItem),
  )
  serve(
    server,
    contract.listCategories,
    list('Category', 'categories', (slice) => selectCategories(db, slice), categoryItem),
  )
  serve(
    server,
    contract.listNationalities,
    list('Nationality', 'nationalities', (slice) => selectNationalities(db, slice), nationalityItem),
  )
  serve(
    server,
    contract.listPublishers,
    list(
      'Publisher',
      'publishers',
      (slice) => selectPublishers(db, slice),
      publisherItem,
      PAGE_SIZE.publishers,
    ),
  )
  serve(server, contract.getPublisher, async ({ params }) => {
    const row = await selectPublisher(db, params.slug)
    if (!row) throw notFound()
    return { '@context': '/api/contexts/Publisher', ...publisherItem(row) }
  })
}

const sliceOf = ({ page, itemsPerPage }: PageOf) => ({
  offset: (page - 1) * itemsPerPage,
  limit: itemsPerPage,
})
