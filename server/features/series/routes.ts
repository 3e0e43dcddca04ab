import { getSeries, listSeries } from '#contract/series.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { hydraList, pageOf } from '../../wire/hydra.ts'
import { serve, type ApiServer } from '../../wire/serve.ts'
import { cardsOf, marksOn, readerOf } from '../catalogue/rules.ts'
import { allSeries, seeSeries } from './rules.ts'
import { seriesItem, seriesSummary } from './views.ts'

export function registerSeries(server: ApiServer): void {
  const { shop } = server

  serve(server, listSeries, async ({ query, url }) => {
    const page = pageOf(query, PAGE_SIZE.publishers)
    const all = await allSeries(shop)
    const from = (page.page - 1) * page.itemsPerPage
    const members = all.slice(from, from + page.itemsPerPage).map(seriesSummary)
    return hydraList({ type: 'Series', url, members, total: all.length, ...page })
  })
  serve(server, getSeries, async ({ params, ...call }) => {
    const reader = await readerOf(shop, call)
    const { bookIds, ...seen } = await seeSeries(shop, params.slug, reader)
    return call.sameFor(marksOn(bookIds, reader), async () =>
      seriesItem(seen, await cardsOf(shop, bookIds, reader)),
    )
  })
}
