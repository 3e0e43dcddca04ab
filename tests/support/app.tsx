import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { fromShop } from '#tests/support/shop-response.ts'
import { createQueryClient } from '../../src/app/start/query-client.ts'
import { createAppRouter } from '../../src/router.tsx'
import type { User } from '#contract/account.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, settings, type Exchange } from '#net/settings.ts'
import { becomeUser } from '#session/store.ts'
import { soon } from './wait-for.ts'
import { tokenOf } from './access-tokens.ts'
import { tokensOfWhoIsIn } from './token-store.ts'

/** Responses by path; a function gets the request. Other paths get a 404. */
export type Answers = Record<string, unknown>

/** Mocks the server's API. `asked` lists the requests in order. */
export function shopAnswers(answers: Answers): { asked: Exchange[] } {
  const asked: Exchange[] = []
  configureNet({
    // Health checks.
    fetch: async () => fromShop(JSON.stringify({}), { headers: { 'content-type': 'application/json' } }),
    exchange: async (request) => {
      asked.push(request)
      const answer = answers[`${request.method} ${request.path}`] ?? answers[request.path]
      if (answer === undefined) throw new NetProblem('refused', 404)
      return typeof answer === 'function' ? answer(request) : answer
    },
  })
  connectivity.note(true)
  return { asked }
}

/** The envelope of every list in the API. */
export const listOf = (members: readonly unknown[], total = members.length) => ({
  'hydra:member': members,
  'hydra:totalItems': total,
})

/** The whole app with all its routes, opened at an address, without the server-rendered page. */
export async function appAt(address: string) {
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) } as never)
  await router.load()
  await act(async () => void render(<RouterProvider router={router} />))
  return { router, queryClient, at: () => router.state.location.href }
}

export type OpenApp = Awaited<ReturnType<typeof appAt>>

/**
 * Opens the app at an address for the user in the session, to test which screen it shows to whom. Lists are empty
 * except for what `answers` gives by path. There is no response while the connection is lost.
 */
export async function openApp(address: string, answers: Answers = {}) {
  configureNet({
    exchange: async ({ path }) => {
      if (connectivity.snapshot() === 'offline') throw new NetProblem('offline', 0)
      if (answers[path]) return answers[path]
      if (LISTS.test(path)) return listOf([])
      throw new NetProblem('refused', 404)
    },
    tokens: tokensOfWhoIsIn,
  })
  // The server marks checkout documents like this; the app doesn't reload a marked document.
  document.head.innerHTML = '<meta name="payments" content="allowed" />'
  const { router } = await appAt(address)
  return { router, path: () => router.state.location.pathname }
}

const LISTS = /(?:s|_entries|gifts|activations)$/

/** Waits until the app is at this address. */
export const arrivedAt = ({ at }: Pick<OpenApp, 'at'>, address: string) =>
  soon(() => {
    if (at() !== address) throw new Error(`At ${at()}, not at ${address}`)
  })

export const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

const NELL = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }

/** Stores Nell's session on this device. */
export function nellIsIn(more: Partial<User> = {}): User {
  const user = {
    ...NELL,
    ...{ lastName: 'Hart', email: 'nell@murmur.example', confirmed: true, pendingEmail: null },
    ...{ address1: null, address2: null, city: null, county: null, countryCode: 'GB', postCode: null },
    ...{ newsletter: false, promotions: false, outlet: null, currentSubscription: null, subscriptions: [] },
    ...more,
  } as unknown as User
  configureNet({
    tokens: { ...settings.tokens, read: async () => ({ token: tokenOf('nell'), refreshToken: undefined }) },
  })
  becomeUser(NELL, user)
  return user
}
