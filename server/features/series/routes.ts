import { askForNext, confirmNotice, endNotice, getSeries, listSeries } from '#contract/series.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { seriesItem, seriesSummary } from '#contract/calculations/series-item.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { cardsOf, marksOn, readerOf } from '../catalogue/service.ts'
import { deleteNotification, updateConfirmed } from './queries.ts'
import { requestNextBookEmail, CONFIRMATIONS, NOTIFICATION_REQUESTS } from './next-book-emails.ts'
import { allSeries, seeSeries } from './service.ts'

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

  serve(server, askForNext, async ({ params, body, request }) => {
    await countOrRefuse(shop.db, NOTIFICATION_REQUESTS, addressKey(request.ip), shop.now())
    await requestNextBookEmail(shop, params.slug, body.email)
    return undefined
  })
  serve(server, confirmNotice, async ({ params, request }) => {
    await countOrRefuse(shop.db, CONFIRMATIONS, addressKey(request.ip), shop.now())
    await updateConfirmed(shop.db, params.token, shop.now())
    return undefined
  })
  serve(server, endNotice, async ({ params }) => {
    await deleteNotification(shop.db, params.token)
    return undefined
  })
  takeOneClick(server)
}

/** One-click unsubscribe (RFC 8058): mail programs POST to this address. A browser that GETs it opens the page. */
function takeOneClick({ app, shop }: ApiServer): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    scope.post<{ Params: { token: string } }>('/series/unsubscribe/:token', async (request, reply) => {
      const { token } = request.params
      if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(token)) throw notFound()
      await deleteNotification(shop.db, token)
      return reply.code(204).send()
    })
  })
}
