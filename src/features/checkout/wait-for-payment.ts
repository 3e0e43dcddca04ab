import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { PaymentOutcome } from '#contract/checkout.ts'
import type { Order, OrderMember } from '#contract/orders.ts'
import { reloadBag } from '#features/bag/queries.ts'
import { listenToFeed } from '#features/feed/listen.ts'
import { isPaid, justPaid } from '#features/orders/model.ts'
import { askNewestOrders, askOrder } from '#features/orders/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession, useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { problemState, type ReturnProof } from './addresses.ts'
import { intentOf } from './pay.ts'
import { askPayment } from './queries.ts'
import { forgetDraft, forgetPayment, giveUpPayment, pendingPayment } from './store.ts'

/** ORDER-02: how long we wait for an order, unless the buyer was redirected to another page. */
export const ORDER_TIMEOUT_MS = 30_000
/** The polling interval, and so the delay caused by a lost message (ORDER-07). */
const ASK_EVERY_MS = 2_000

/**
 * Asks the server about a payment. With `untilKnown` it asks every two seconds until `ask` resolves with an
 * outcome; otherwise once, and again after `askAgain`.
 * @param ask resolves with undefined while the outcome is unknown
 */
export function usePayment<Outcome>(
  key: readonly (string | undefined)[],
  ask: () => Promise<Outcome | undefined>,
  { enabled = true, untilKnown = false } = {},
) {
  const queryKey = ['payment', ...key]
  const { data, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async () => (await ask().catch(() => undefined)) ?? null,
    enabled,
    networkMode: 'always',
    refetchInterval: ({ state }) => untilKnown && state.data == null && ASK_EVERY_MS,
    // Poll in a hidden tab, too: the bank's app may be in front of it.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const isUnknown = data == null || (!untilKnown && isFetching)
  return { queryKey, outcome: isUnknown ? undefined : data, askAgain: () => void refetch() }
}

export interface Waiting {
  readonly order: string | undefined
  readonly secret: string | undefined
  /** The buyer returns from PayPal, whose banks may take longer (ORDER-11). */
  readonly redirected: boolean
  /** Stripe's `redirect_status`, which only affects wording. */
  readonly hint: string | undefined
  readonly signedIn: boolean
}

/**
 * `paid`: the buyer is logged out here or logged in to another account, and sees nothing else of the order
 * (ROLE-22).
 */
export type Confirmed =
  | { readonly is: 'order'; readonly order: Order | OrderMember }
  | { readonly is: 'paid' }
  | { readonly is: 'refused' }
  | { readonly is: 'paypal-problem' }

/**
 * Waits for an order, using the live stream (ORDER-01) and polling (ORDER-07). After 30 seconds without one
 * it leads to a page that explains this (ORDER-02), but not after PayPal (ORDER-11).
 */
export function useConfirmation(proof: ReturnProof): Confirmed | undefined {
  const queryClient = useQueryClient()
  const router = useRouter()
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  const [kept] = useState(() => ({ ...pendingPayment(), ...router.state.location.state }))
  const { payment_intent_client_secret: proven, redirect_status: hint } = proof
  const { order } = kept
  const secret = proven ?? kept.secret
  const redirected = proven !== undefined
  const { outcome: confirmed, queryKey } = usePayment(
    ['order', order, secret, hint, user],
    () => askOnce({ order, secret, redirected, hint, signedIn: user !== undefined }),
    { enabled: ready, untilKnown: true },
  )
  const isWaiting = ready && confirmed === undefined

  const receive = useEffectEvent(async (uuid: string) => {
    const found = await askOrder(uuid)
    // Cancel the running query: its answer may be older.
    await queryClient.cancelQueries({ queryKey })
    const received: Confirmed = { is: 'order', order: found }
    queryClient.setQueryData(queryKey, received)
  })
  useEffect(() => {
    if (!isWaiting || !user) return undefined
    return listenToFeed(user, (message) => {
      if (message.type === 'new_order' && (!order || message.uuid === order))
        receive(message.uuid).catch(() => undefined)
    })
  }, [isWaiting, user, order])
  useEffect(() => {
    if (!isWaiting || redirected) return undefined
    const timer = setTimeout(
      () => void router.navigate({ to: '/payment-successful-problem', replace: true }),
      ORDER_TIMEOUT_MS,
    )
    return () => clearTimeout(timer)
  }, [isWaiting, redirected, router])

  const end = useEffectEvent((found: Confirmed) => {
    applyConfirmed(queryClient, found)
    if (found.is === 'refused')
      void router.navigate({ to: '/payment-problem', state: secret ? { secret } : {}, replace: true })
  })
  useEffect(() => {
    if (confirmed) end(confirmed)
  }, [confirmed])
  return confirmed
}

function applyConfirmed(queryClient: QueryClient, found: Confirmed): void {
  if (found.is !== 'order' && found.is !== 'paid') return giveUpPayment()
  forgetPayment()
  forgetDraft()
  void reloadBag(queryClient)
  const owner = currentSession().owner?.uuid
  // Includes the library, the orders and the pages of the bought books (ORDER-09).
  if (owner) void queryClient.invalidateQueries({ queryKey: ownKey(owner) })
  announce('Your payment went through.', 'assertive')
}

/** Undefined while the outcome is unknown. Never throws: the next poll tries again. */
export async function askOnce(waiting: Waiting): Promise<Confirmed | undefined> {
  if (waiting.secret) {
    const found = await askPaid(waiting, waiting.secret).catch(() => 'unreachable' as const)
    if (found !== 'unreachable') return found
  }
  // The order may already exist even if the payment's outcome can't be fetched.
  return waiting.signedIn ? askShop(waiting).catch(() => undefined) : undefined
}

async function askPaid(waiting: Waiting, secret: string): Promise<Confirmed | undefined> {
  const { outcome, order } = await askPayment(intentOf(secret), secret)
  if (outcome !== 'paid') return notPaid(outcome, waiting)
  if (!order || !waiting.signedIn) return { is: 'paid' }
  return { is: 'order', order: await askOrder(order) }
}

async function askShop(waiting: Waiting): Promise<Confirmed | undefined> {
  if (waiting.order) {
    const order = await askOrder(waiting.order)
    return isPaid(order) ? { is: 'order', order } : undefined
  }
  // A return URL that names a payment waits for that one, not for the newest order.
  if (waiting.secret) return undefined
  const newest = justPaid((await askNewestOrders())['hydra:member'], Date.now())
  return newest && { is: 'order', order: newest }
}

/** `failed` in the URL only affects wording: the outcome comes from the server (trap 26, ORDER-04). */
function notPaid(outcome: PaymentOutcome, { redirected, hint }: Waiting): Confirmed | undefined {
  if (outcome === 'checking') return undefined
  if (redirected && (hint === 'failed' || outcome !== 'open')) return { is: 'paypal-problem' }
  // The buyer cancelled at PayPal: nothing was charged.
  if (redirected && hint === 'canceled') return { is: 'paypal-problem' }
  return outcome === 'open' ? undefined : { is: 'refused' }
}

/** The server stores each payment before its secret is handed out, so it never learns of it later. */
function unknownPayment(problem: unknown): undefined {
  if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
}

type PaidFor<Thing> =
  | { readonly is: 'there'; readonly thing: Thing }
  /** The card or PayPal account had the free trial before, so no membership has begun. */
  | { readonly is: 'trial-used' }
  | { readonly is: 'paypal-problem' }
  | { readonly is: 'nothing' }

export interface Wanted<Thing> {
  readonly name: string
  readonly ask: (secret: string) => Promise<{ readonly outcome: PaymentOutcome; readonly trialUsed?: true }>
  /** Called once it is paid, or if it was free; resolves with undefined while it doesn't exist yet. */
  readonly find: () => Promise<Thing | undefined>
  readonly announcement: string
  readonly onThere: () => void
}

/**
 * Waits for a membership: fetches the outcome of the payment or of the stored card, which settles it, then
 * the membership.
 */
export function usePaidFor<Thing>(proof: ReturnProof, wanted: Wanted<Thing>): PaidFor<Thing> | undefined {
  const router = useRouter()
  const queryClient = useQueryClient()
  const [kept] = useState(() => ({ pending: pendingPayment(), ...router.state.location.state }))
  const proven = proof.setup_intent_client_secret ?? proof.payment_intent_client_secret
  const hint = proof.redirect_status
  const { pending } = kept
  const secret = proven ?? kept.secret ?? (pending?.membership ? pending.secret : undefined)
  const isExpected = secret !== undefined || kept.plan !== undefined

  const ask = async (): Promise<PaidFor<Thing> | { readonly is: 'refused' } | undefined> => {
    if (secret) {
      const answer = await wanted.ask(secret).catch(unknownPayment)
      if (!answer) return { is: 'nothing' }
      const { outcome, trialUsed } = answer
      if (trialUsed) return { is: 'trial-used' }
      if (outcome === 'checking') return undefined
      // Undecided: ask again, unless the buyer came back from PayPal without paying.
      if (outcome === 'open' && (proven === undefined || hint === 'succeeded')) return undefined
      if (outcome !== 'paid') return proven ? { is: 'paypal-problem' } : { is: 'refused' }
    }
    const thing = await wanted.find()
    if (thing !== undefined) return { is: 'there', thing }
    return isExpected ? undefined : { is: 'nothing' }
  }
  const { outcome } = usePayment([wanted.name, secret, hint], ask, { untilKnown: true })

  const end = useEffectEvent((found: NonNullable<typeof outcome>) => {
    forgetPayment()
    if (found.is === 'there') {
      forgetDraft()
      announce(wanted.announcement, 'assertive')
      wanted.onThere()
      const owner = currentSession().owner?.uuid
      if (owner) void queryClient.invalidateQueries({ queryKey: ownKey(owner) })
    }
    if (found.is === 'refused')
      void router.navigate({
        to: '/payment-problem',
        state: problemState(secret ?? null, pending?.membership),
        replace: true,
      })
  })
  useEffect(() => {
    if (outcome) end(outcome)
  }, [outcome])
  return outcome?.is === 'refused' ? undefined : outcome
}
