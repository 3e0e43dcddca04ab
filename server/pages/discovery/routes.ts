import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../../http/error-responses.ts'
import { headersToKeep } from '../../http/response-cache.ts'
import { routeOf } from '../../http/requests.ts'
import { cardsOf, listBooks, readerOf, seeBook } from '../../features/catalogue/service.ts'
import { notFound } from '../../http/http-errors.ts'
import type { ApiServer } from '../../http/serve.ts'
import {
  eventCalendar,
  type FeedName,
  opdsHome,
  opdsList,
  opdsPublication,
  PUBLICATION_TYPE,
  rss,
} from './feeds.ts'
import { robots, securityContact, sitemapIndex, sitemapPiece } from './sitemap.ts'

const XML = 'application/xml; charset=utf-8'
const OPDS = 'application/opds+json; charset=utf-8'
const OPDS_PAGE = 50

/** Pages for search engines, feed readers and reading apps; cached until the catalogue changes. */
export function registerDiscovery({ app, shop, visitors }: ApiServer): void {
  const { db, config } = shop
  const origin = config.publicUrl

  const keep = async (
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    make: () => Promise<string | undefined>,
  ) => {
    const { generation } = shop.answers
    const body = config.details.isOpen(request.url) ? await make() : undefined
    if (body === undefined) return answer(reply, notFound())
    reply
      .type(type)
      .header('cache-control', 'public, max-age=0, must-revalidate')
      .header('vary', 'Accept-Encoding')
    const headers = headersToKeep(reply.getHeaders())
    const made = { status: 200, headers, body: Buffer.from(body) }
    const kept = shop.answers.keep(shop.answers.keyOf(request.raw), generation, routeOf(request), made)
    return reply.header('etag', kept.etag).send(body)
  }

  app.get('/robots.txt', (request, reply) =>
    keep(request, reply, 'text/plain; charset=utf-8', async () => robots(origin, config.details)),
  )
  app.get('/.well-known/security.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(securityContact(origin, addressIn(config.mailFrom), shop.now())),
  )
  // Password managers open this address (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/change-password', 302))
  app.get('/sitemap.xml', (request, reply) => keep(request, reply, XML, () => sitemapIndex(db, origin)))
  app.get<{ Params: { piece: string } }>('/sitemaps/:piece', (request, reply) => {
    const name = /^([\w-]{1,40})\.xml$/.exec(request.params.piece)?.[1] ?? ''
    return keep(request, reply, XML, () => sitemapPiece(shop, name))
  })
  for (const name of ['articles', 'interviews'] satisfies FeedName[])
    app.get(`/feeds/${name}.xml`, (request, reply) =>
      keep(request, reply, 'application/rss+xml; charset=utf-8', () =>
        rss(db, origin, config.details.name, name),
      ),
    )

  app.get<{ Params: { file: string } }>('/feeds/events/:file', (request, reply) => {
    const slug = /^([a-z0-9-]{1,160})\.ics$/.exec(request.params.file)?.[1] ?? ''
    return keep(request, reply, 'text/calendar; charset=utf-8', () =>
      eventCalendar(db, origin, config.details.name, slug),
    )
  })

  app.get('/opds', (request, reply) =>
    keep(request, reply, OPDS, async () => JSON.stringify(opdsHome(origin, config.details))),
  )
  for (const [path, title, format] of [
    ['/opds/audiobooks', 'Audiobooks', 'audio_book'],
    ['/opds/ebooks', 'E-books', 'e_book'],
  ] as const) {
    const visitorOf = (request: FastifyRequest) =>
      readerOf(shop, { caller: null, countries: [visitors.countryOf(request)] })
    app.get<{ Querystring: { page?: string } }>(path, (request, reply) =>
      keep(request, reply, OPDS, async () => {
        const page = Math.min(1_000_000, Math.max(1, Number.parseInt(request.query.page ?? '1', 10) || 1))
        const paging = { page, itemsPerPage: OPDS_PAGE }
        const reader = await visitorOf(request)
        const { ids, total } = await listBooks(shop, { format, recommendable: true }, paging)
        const cards = await cardsOf(shop, ids, reader)
        if (cards.length === 0 && page > 1) return undefined
        return JSON.stringify(
          opdsList({ origin, shopName: config.details.name, path, title, cards, total, ...paging }),
        )
      }),
    )
    app.get<{ Params: { slug: string } }>(`${path}/:slug`, (request, reply) =>
      keep(request, reply, `${PUBLICATION_TYPE}; charset=utf-8`, async () => {
        const book = await seeBook(shop, format, request.params.slug, await visitorOf(request))
        return book.published ? JSON.stringify(opdsPublication(book, origin)) : undefined
      }),
    )
  }
}

/** `hello@shop.example` of `Murmur <hello@shop.example>`. */
const addressIn = (sender: string): string => /<([^>]+)>/.exec(sender)?.[1] ?? sender
