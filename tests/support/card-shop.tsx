import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { Setting } from '#contract/pages.ts'
import { loadRedemption } from '#features/cards/queries.ts'
import { RedemptionScreen } from '#routes/-cards/RedemptionScreen.tsx'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { tokensOfWhoIsIn } from './token-store.ts'
import { becomeUser } from '#session/store.ts'

export const SPI_SIN = '9001000000017'

export const SETTINGS: Omit<Setting, '@context' | '@id' | '@type' | 'name'> = {
  requiredPurchaserEmail: false,
  supportMail: 'help@murmur.example',
  supportPhone: null,
  bookshopMail: 'bookshops@murmur.example',
  bookshopPhone: '0191 496 0142',
  address: [],
  vatNumber: null,
}

export const aTitle = (more: Partial<AudioBookCard> = {}): AudioBookCard =>
  ({
    '@id': '/api/audio_books/tin-whistle-winter',
    entityType: 'audioBook',
    id: 1,
    slug: 'tin-whistle-winter',
    title: 'Tin Whistle Winter',
    coverAlt: 'Cover of Tin Whistle Winter',
    cover330: '',
    cover900: '',
    authors: [{ firstName: 'Orla', lastName: 'Finnegan', fullName: 'Orla Finnegan' }],
    narrators: [],
    inLibrary: false,
    lengthHours: 4,
    lengthMin: 26,
    bookBackgroundColour: '8E2F28',
    containerBackgroundColour: '76241F',
    textColour: 'FBEBDD',
    ...more,
  }) as AudioBookCard

export const nell = (more: object = {}) =>
  ({
    uuid: 'nell',
    firstName: 'Nell',
    fullName: 'Nell Hart',
    email: 'nell@murmur.example',
    outlet: null,
    ...more,
  }) as never

export const signIn = (more: object = {}) => {
  const user = nell(more)
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, user)
  return user
}

/** A card in the mock API; with `refuses`, redeeming it fails with that message. */
export interface TestCard {
  redeemed?: boolean
  ofTitle?: string
  activated?: boolean
  owned?: boolean
  refuses?: NetProblem
}

/** A refused card has the same word as its reason and as its message. */
export function refusal(status: number, message = '') {
  const reason = Object.values(CARD_REFUSALS).find((each) => each === message)
  return new NetProblem('refused', status, { message, ...(reason && { reason }) })
}

/** The API behind both wizards. `asked` lists the requests in order. */
export function aCardShop(cards: Record<string, TestCard>) {
  const asked: string[] = []
  const shop = { cards, asked, down: undefined as NetProblem | undefined }
  const see = (code: string, spiSIN: string | null) => {
    const card = cards[code]
    if (!card || (spiSIN !== null && (card.ofTitle ?? SPI_SIN) !== spiSIN)) throw refusal(404, 'Not found')
    if (card.activated === false) throw refusal(422, 'card_not_activated')
    return {
      redeemed: card.redeemed ?? false,
      outlet: { name: 'Corner House Books' },
      audioBook: aTitle({ inLibrary: card.owned ?? false }),
    }
  }
  const redeem = (code: string, spiSIN: string | null) => {
    const seen = see(code, spiSIN)
    const card = cards[code] ?? {}
    if (card.refuses) throw card.refuses
    if (card.redeemed) throw refusal(422, 'already_redeemed')
    card.redeemed = true
    return { ...seen, redeemed: true }
  }
  configureNet({
    tokens: tokensOfWhoIsIn,
    exchange: async ({ method, path, json, search }: Exchange) => {
      if (path === '/api/audio_books') {
        const member = search?.get('spiSIN') === SPI_SIN ? [aTitle()] : []
        return { 'hydra:member': member, 'hydra:totalItems': member.length }
      }
      if (path.startsWith('/api/settings/')) return SETTINGS
      if (path === '/api/libraries') {
        asked.push('library')
        return { 'hydra:member': [], 'hydra:totalItems': 0 }
      }
      const code = decodeURIComponent(
        /\/(?:redemption_codes|audiobook-cards)\/(?:add_to_library_with_code\/)?([^/]+)/.exec(path)?.[1] ??
          '',
      )
      asked.push(`${method} ${code === 'redeem' ? (json as { token: string }).token : code}`)
      if (shop.down) throw shop.down
      if (method === 'GET')
        return see(code, path.includes('redemption_codes') ? (search?.get('spiSIN') ?? null) : null)
      return code === 'redeem'
        ? redeem((json as { token: string }).token, null)
        : redeem(code, (json as { audioBook: { spiSIN: string } }).audioBook.spiSIN)
    },
  })
  return shop
}

/** Both wizards at their addresses, with the pages that they lead to. */
export function atAddress(...entries: string[]) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => <h1>Page not found</h1> })
  const wizard = createRoute({
    getParentRoute: () => root,
    path: '/redemption/{-$spisin}/{-$step}',
    loader: ({ params }) => loadRedemption({ queryClient }, params),
    component: () => <RedemptionScreen {...wizard.useLoaderData()} />,
  })
  const others = ['/activation', '/library', '/audiobooks', '/murmurations', '/forgot-password'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => <h1>{path}</h1> }),
  )
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: entries }),
    routeTree: root.addChildren([wizard, ...others]),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return { router, queryClient, path: () => router.state.location.pathname }
}
