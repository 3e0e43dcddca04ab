import { eq, like } from 'drizzle-orm'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { runOutletCalendar } from '#server/features/outlets/scheduled-statements.ts'
import { aCard, type TestCard } from '#tests/support/cards.ts'
import { everybody, get, outletOnly, type SampleCall } from './sample-call.ts'
import type { World } from './world.ts'

type Request = Awaited<ReturnType<SampleCall['request']>>

const ofOutlet = (
  request: (world: World) => Promise<Request>,
  statuses: SampleCall['statuses'] = outletOnly,
): SampleCall => ({ by: 'outlet', statuses, request })

/** Resets the rate limit, which earlier calls may have used up. */
async function printed(world: World): Promise<TestCard> {
  await world.shop.db.delete(rateLimits).where(like(rateLimits.key, 'card %'))
  return aCard(world.shop)
}

const asOutlet = async (world: World, url: string, payload: Record<string, unknown>) =>
  (await world.shop.app.inject({ method: 'POST', url, payload, headers: world.headersOf('outlet') })).json()

async function sold(world: World): Promise<TestCard & { activation: string; spiSIN: string }> {
  const card = await printed(world)
  const spiSIN = String(card.book.id).padStart(13, '9')
  await world.shop.db.update(books).set({ spiSin: spiSIN }).where(eq(books.id, card.book.id))
  const { id } = await asOutlet(world, '/api/audiobook-cards/activate', { token: card.number })
  return { ...card, activation: id, spiSIN }
}

/** The statement of a month in which only one card was sold. */
async function statement(world: World): Promise<string> {
  const { shop } = world
  const [first] = (
    await shop.app.inject({ url: '/api/outlet/statements', headers: world.headersOf('outlet') })
  ).json()['hydra:member']
  if (first) return first.id
  await sold(world)
  const { aheadMs } = shop.clock
  shop.clock.aheadMs = aheadMs + 40 * 24 * 3_600_000
  await runOutletCalendar(shop)
  shop.clock.aheadMs = aheadMs
  return statement(world)
}

const listeners = { ...everybody(200), visitor: 401 }

/** The calls of cards and of the bookshops that sell them. */
export const CARD_CALLS: Readonly<Record<string, SampleCall>> = {
  'GET /api/redemption_codes/{code}': {
    statuses: everybody(200),
    request: async (world) => ({ url: `/api/redemption_codes/${(await sold(world)).code}` }),
  },
  'GET /api/audiobook-cards/{code}/card-apply-code': {
    statuses: everybody(200),
    request: async (world) => ({ url: `/api/audiobook-cards/${(await sold(world)).code}/card-apply-code` }),
  },
  'POST /api/redemption_codes/add_to_library_with_code/{code}': {
    statuses: listeners,
    async request(world) {
      const { code, spiSIN } = await sold(world)
      return {
        url: `/api/redemption_codes/add_to_library_with_code/${code}`,
        payload: { audioBook: { spiSIN } },
      }
    },
  },
  'POST /api/audiobook-cards/redeem': {
    statuses: listeners,
    request: async (world) => ({
      url: '/api/audiobook-cards/redeem',
      payload: { token: (await sold(world)).code },
    }),
  },
  'POST /api/audiobook-cards/activate': ofOutlet(async (world) => ({
    url: '/api/audiobook-cards/activate',
    payload: { token: (await printed(world)).number, buyerEmail: 'buyer@murmur.example' },
  })),
  'POST /api/audiobook-cards/find-activation': ofOutlet(async (world) => ({
    url: '/api/audiobook-cards/find-activation',
    payload: { token: (await sold(world)).number },
  })),
  'GET /api/audiobook-cards/activations': {
    ...get(outletOnly, () => '/api/audiobook-cards/activations'),
    by: 'outlet',
  },
  'POST /api/audiobook-cards/activations/{id}/take-back': ofOutlet(async (world) => ({
    url: `/api/audiobook-cards/activations/${(await sold(world)).activation}/take-back`,
  })),
  'GET /api/outlet/account': ofOutlet(async () => ({ url: '/api/outlet/account' })),
  'GET /api/outlet/statements': ofOutlet(async () => ({ url: '/api/outlet/statements' })),
  'GET /api/outlet/statements/{id}': ofOutlet(async (world) => ({
    url: `/api/outlet/statements/${await statement(world)}`,
  })),
  'GET /api/card_sums/{slug}': {
    statuses: everybody(200),
    request: async ({ shop }) => ({ url: `/api/card_sums/${(await aCard(shop)).book.slug}` }),
  },
  'GET /api/outlet/additions': ofOutlet(async () => ({ url: '/api/outlet/additions' })),
}
