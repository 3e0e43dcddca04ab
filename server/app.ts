import { createServer, type Server } from 'node:http'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import './event-handlers.ts'
import { SHOP_HEADER } from '#contract/limits.ts'
import { answer, answerProblems } from './http/error-responses.ts'
import { compileSchemas } from './http/compile-schemas.ts'
import { describeApi, describeLinkedData } from './http/api-description.ts'
import { registerAccount } from './features/account/routes.ts'
import { registerBag } from './features/bag/routes.ts'
import { registerBilling, registerMembership } from './features/membership/routes.ts'
import { registerBookmarks, registerHighlights } from './features/notes/routes.ts'
import { registerLists } from './features/lists/routes.ts'
import { registerCards } from './features/cards/routes.ts'
import { registerCatalogue } from './features/catalogue/routes.ts'
import { registerCatalogueIndex } from './features/catalogue-index/routes.ts'
import { registerWebhook } from './features/provider-events/webhook.ts'
import { registerCheckout, registerPaymentSettings } from './features/checkout/routes.ts'
import { registerDiscounts } from './features/discounts/routes.ts'
import { registerEditorial } from './features/editorial/routes.ts'
import { registerFeed } from './features/feed/routes.ts'
import { registerGifts, registerMembershipGifts } from './features/gifts/routes.ts'
import { registerHome } from './features/home/routes.ts'
import { registerInStep } from './features/in-step/routes.ts'
import { registerLibrary } from './features/library/routes.ts'
import { registerListening } from './features/listening/routes.ts'
import { forgetReader } from './features/catalogue/service.ts'
import { entitlementOf } from './features/membership/service.ts'
import { registerOrders } from './features/order-history/routes.ts'
import { registerOutlets } from './features/outlets/routes.ts'
import { registerSearch } from './features/search/routes.ts'
import { registerInfoPages } from './features/pages/routes.ts'
import { registerMedia } from './features/media/routes.ts'
import { registerPeople } from './features/people/routes.ts'
import { registerSeats } from './features/seats/routes.ts'
import { registerSeries } from './features/series/routes.ts'
import { registerWithdrawals } from './features/withdrawals/routes.ts'
import { registerReading } from './features/reading/routes.ts'
import { registerRefunds } from './features/refunds/routes.ts'
import { registerMailbox } from './integrations/mail/mailbox.ts'
import { countryByHeader, trustedNetworks } from './auth/country.ts'
import { sessionGuard } from './auth/session.ts'
import { staffGuard } from './auth/staff.ts'
import { onlyFromThisMachine } from './auth/this-machine.ts'
import { watchForUntrustedProxies } from './rate-limiting/untrusted-proxy.ts'
import { registerMetrics } from './monitoring/metrics-route.ts'
import { registerDiscovery } from './pages/discovery/routes.ts'
import { readableUrl } from './pages/addresses.ts'
import type { LoadImporter } from './office/importer.ts'
import { registerOffice } from './office/register.ts'
import { registerPages, rendererFor } from './pages/routes.ts'
import { type ApiServer, refuseOtherMethods, type Served } from './http/serve.ts'
import { registerClock, registerReset } from './jobs/dev-routes.ts'
import { diskFull, notFound, unavailable, unreadable } from './http/http-errors.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { REQUEST_ID } from './http/response-cache.ts'
import { endLastConnections } from './http/last-connections.ts'
import { noteAnswered, requestIds, watchRequests } from './http/requests.ts'
import type { Shop } from './shop.ts'
import { reachDatabase } from './db/open.ts'

const BODY_LIMIT = 64 * 1024
/** Cut off clients that send a request slowly, so that a few of them cannot occupy every connection (Slowloris). */
const SLOWEST = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }
/** Longer than a proxy keeps an idle connection (60 s): its next request could hit one that is closing. */
const KEPT_MS = 75_000

export interface AppOptions {
  readonly importer?: LoadImporter
  readonly resetDemo?: () => Promise<void>
}

export async function buildApp(shop: Shop, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config } = shop
  const isTrusted = trustedNetworks(config)
  const requestId = requestIds(config)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the framework loses the types of its own server
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    trustProxy: (address) => isTrusted(address),
    loggerInstance: shop.log,
    childLoggerFactory: (log) => log,
    genReqId: (request) => requestId(request),
    // Requests that arrived before the port was closed are still answered.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    schemaController: compileSchemas,
    ajv: {
      customOptions: { removeAdditional: false, coerceTypes: 'array', useDefaults: true, allErrors: false },
    },
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    frameworkErrors: (error, request, reply) =>
      void answer(
        reply.header(SHOP_HEADER, config.details.version).header(REQUEST_ID, request.id),
        error.statusCode === 400 ? unreadable(error.message) : notFound(),
      ),
    // Cached public responses are sent before Fastify sees the request.
    serverFactory: (handler): Server =>
      createServer({ ...SLOWEST, keepAliveTimeout: KEPT_MS }, (request, response) => {
        // During shutdown: make keep-alive clients, such as a proxy, open their next connection to another instance.
        if (shop.ending.aborted) response.setHeader('connection', 'close')
        const startedAt = performance.now()
        const id = requestId(request)
        const kept = shop.answers.answered(request, response, id)
        if (!kept) return handler(request, response)
        shop.metrics.answersFromMemory.add(1)
        const { method = 'GET' } = request
        const ms = performance.now() - startedAt
        noteAnswered(shop, { id, method, route: kept.route, status: response.statusCode, ms })
      }),
  }) as unknown as FastifyInstance

  const country = countryByHeader(config)
  const served: Served[] = []
  const server: ApiServer = {
    app,
    shop,
    served,
    visitors: {
      callerOf: sessionGuard(shop),
      staffOf: staffGuard(shop),
      isMember: async (userId) => (await entitlementOf(shop.db, userId, shop.clock.now())).tier !== null,
      countryOf: (request) => country(request.raw),
      forget: (userId) => forgetReader(shop, userId),
    },
  }

  readBodies(app)
  watchRequests(app, shop)
  watchForUntrustedProxies(app, shop)
  sendSecurityHeaders(app, shop)
  answerProblems(app, shop)
  registerHealth(server)
  registerMetrics(server)
  if (config.role !== 'jobs') await registerRoutes(server, options)
  // Registered last, so that its close hook runs after live streams were told to end.
  endLastConnections(server)
  return app
}

async function registerRoutes(server: ApiServer, { resetDemo, importer }: AppOptions): Promise<void> {
  const { app, shop } = server
  registerAccount(server)
  registerCatalogue(server)
  registerCatalogueIndex(server)
  registerSearch(server)
  registerSeries(server)
  registerPeople(server)
  registerEditorial(server)
  registerSeats(server)
  registerHome(server)
  registerInfoPages(server)
  registerBag(server)
  registerDiscounts(server)
  registerCheckout(server)
  registerWebhook(server)
  registerMembership(server)
  registerBilling(server)
  registerOrders(server)
  registerRefunds(server)
  registerGifts(server)
  registerCards(server)
  registerOutlets(server)
  registerMembershipGifts(server)
  registerFeed(server)
  registerInStep(server)
  registerLibrary(server)
  registerListening(server)
  registerReading(server)
  registerBookmarks(server)
  registerLists(server)
  registerHighlights(server)
  registerMedia(server)
  registerPaymentSettings(server)
  registerWithdrawals(server)
  const renderer = await rendererFor(server)
  registerOffice(server, renderer, importer)
  if (shop.config.demo)
    await app.register(async (dev) => {
      onlyFromThisMachine(dev)
      registerMailbox({ ...server, app: dev })
      registerClock({ ...server, app: dev })
      if (resetDemo) registerReset({ ...server, app: dev }, resetDemo)
    })
  describeApi(server)
  describeLinkedData(server)
  refuseOtherMethods(server)
  registerDiscovery(server)
  registerPages(server, renderer)
}

/** The API's three JSON media types have the same format; any other type is answered with 415. */
function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/ld+json', 'application/merge-patch+json'],
    { parseAs: 'string' },
    parse,
  )
}

/**
 * `HEAD` is the app's connectivity probe: no query, and JSON unlike a captive portal (trap 22).
 * Alive is any server that answers: one that waits for its database must not be restarted because of it.
 */
function registerHealth({ app, shop }: ApiServer): void {
  app.head('/api/health', async (_request, reply) =>
    reply.header('cache-control', 'no-store').type('application/json').send(),
  )
  for (const address of ['/api/health', '/api/health/ready'])
    app.get(address, { exposeHeadRoute: false }, async (_request, reply) => {
      if (shop.ending.aborted) throw unavailable(2)
      await reachDatabase(shop.db)
      if (await shop.disk.isFull()) throw diskFull()
      return reply.header('cache-control', 'no-store').send({ status: 'ready', database: shop.database.kind })
    })
  app.get('/api/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
}
