import { randomUUID } from 'node:crypto'
import type { ProviderEvent } from '#server/integrations/stripe/events.ts'
import type { DisputeState, Payment, Refund } from '#server/integrations/stripe/payments.ts'
import type { Payments } from '#server/integrations/stripe/provider.ts'
import { BadSignature, NotAtProvider, PaymentConflict } from '#server/integrations/stripe/problems.ts'

type Call =
  | 'createPayment'
  | 'retrievePayment'
  | 'cancelPayment'
  | 'saveCardOf'
  | 'payWithSaved'
  | 'refundPayment'
  | 'listPayments'
  | 'listReturned'

export interface FakePayments extends Payments {
  readonly made: Map<string, Payment>
  /** Pays as the buyer's browser does. A second payment attempt fails, as with a real provider. */
  pay(id: string, how?: { method?: 'card' | 'paypal'; last4?: string }): void
  decline(id: string, why?: { tryId?: string; code?: string; declineCode?: string | null }): void
  /** The bank takes its time: the payment stays pending. */
  keepPending(id: string): void
  /** Refunds as staff do in the provider's dashboard. */
  giveBack(id: string, amountMinor?: number): void
  /** The bank rejects the refund: the money returns to the payment. */
  failRefund(refund: string): void
  dispute(id: string): void
  /** The payment still counts as disputed afterwards. */
  closeDispute(id: string, outcome: 'won' | 'lost'): void
  reprice(id: string, amountMinor: number): void
  /** Body and signature of a webhook about a payment. */
  webhook(
    payment: string | null,
    type?: string,
    id?: string,
  ): { payload: string; headers: Record<string, string> }
  /** Runs before and after every call; throw in it to simulate an outage or a crash of the server. */
  onCall: (call: Call, when: 'before' | 'after') => void | Promise<void>
}

const SIGNATURE = 'signed by the fake'

/**
 * A payment provider in memory: as strict as the real one about states and idempotency keys, as slow as the test
 * wants.
 */
export function fakePayments(now: () => Date = () => new Date()): FakePayments {
  const made = new Map<string, Payment>()
  const byKey = new Map<string, { request: string; id: string }>()
  const refundKeys = new Map<string, { request: string; refund: Refund | PaymentConflict }>()
  const refunds: Refund[] = []
  const disputes = new Map<string, DisputeState>()

  const of = (id: string): Payment => {
    const payment = made.get(id)
    if (!payment) throw new NotAtProvider(id)
    return payment
  }
  const change = (id: string, fields: Partial<Payment>) => void made.set(id, { ...of(id), ...fields })
  const mustBeOpen = (id: string) => {
    if (of(id).state !== 'open') throw new PaymentConflict(`${id} is ${of(id).state}`)
  }
  const giveBack = (id: string, amountMinor: number, metadata: Refund['metadata'] = {}): Refund => {
    const { state, amountMinor: all, refundedMinor, disputed } = of(id)
    if (state !== 'paid' || refundedMinor + amountMinor > all) throw new PaymentConflict('nothing is left')
    if (disputed && disputes.get(id) !== 'won') throw new PaymentConflict('it is disputed')
    change(id, { refundedMinor: refundedMinor + amountMinor })
    const refund: Refund = {
      id: `re_${randomUUID()}`,
      payment: id,
      amountMinor,
      state: 'done',
      problem: null,
      metadata,
      createdAt: now(),
    }
    refunds.unshift(refund)
    return refund
  }

  const refundOf = (...wish: Parameters<typeof giveBack>) => {
    try {
      return giveBack(...wish)
    } catch (error) {
      if (error instanceof PaymentConflict) return error
      throw error
    }
  }

  const fake: FakePayments = {
    made,
    onCall: () => undefined,
    pay(id, { method = 'card', last4 = '4242' } = {}) {
      mustBeOpen(id)
      const isCard = method === 'card'
      const expiresAt = new Date(Date.UTC(2040, 0))
      const card = isCard ? { id: `pm_${randomUUID()}`, brand: 'visa', last4, expiresAt, wallet: null } : null
      change(id, { state: 'paid', method, cardLast4: isCard ? last4 : null, card, refusal: null })
    },
    decline(id, why) {
      mustBeOpen(id)
      const refusal = {
        tryId: `ch_${randomUUID()}`,
        code: 'card_declined',
        declineCode: 'generic_decline',
        message: 'No.',
        ...why,
      }
      change(id, { refusal })
    },
    keepPending: (id) => change(id, { state: 'pending' }),
    giveBack: (id, amountMinor = of(id).amountMinor - of(id).refundedMinor) => void giveBack(id, amountMinor),
    failRefund(refund) {
      const at = refunds.findIndex(({ id, state }) => id === refund && state === 'done')
      const { payment, amountMinor } = refunds[at]!
      refunds[at] = { ...refunds[at]!, state: 'failed', problem: 'expired_or_canceled_card' }
      change(payment, { refundedMinor: of(payment).refundedMinor - amountMinor })
    },
    dispute(id) {
      change(id, { disputed: true })
      // A bank may open another dispute of a payment unless the last one was lost.
      if (disputes.get(id) !== 'lost') disputes.set(id, 'open')
    },
    closeDispute: (id, outcome) => void disputes.set(id, outcome),
    reprice: (id, amountMinor) => change(id, { amountMinor }),
    webhook: (payment, type = 'payment_intent.succeeded', id = `evt_${randomUUID()}`) => ({
      payload: JSON.stringify({ id, type, subject: payment && { kind: 'payment', id: payment } }),
      headers: { 'stripe-signature': SIGNATURE, 'content-type': 'application/json' },
    }),

    live: false,
    publishableKey: 'pk_test_fake',
    async createPayment(wish, once) {
      await fake.onCall('createPayment', 'before')
      const request = JSON.stringify(wish)
      const known = byKey.get(once)
      if (known && known.request !== request) throw new PaymentConflict('another request under this key')
      const id = known?.id ?? `pi_${randomUUID().replaceAll('-', '')}`
      if (!known) {
        byKey.set(once, { request, id })
        made.set(id, {
          id,
          clientSecret: `${id}_secret_${randomUUID()}`,
          state: 'open',
          amountMinor: wish.amountMinor,
          currency: 'gbp',
          customer: null,
          method: null,
          cardLast4: null,
          card: null,
          savesCard: false,
          needsAuthentication: false,
          refusal: null,
          metadata: wish.metadata,
          refundedMinor: 0,
          disputed: false,
          createdAt: now(),
        })
      }
      await fake.onCall('createPayment', 'after')
      return of(id)
    },
    async retrievePayment(id) {
      await fake.onCall('retrievePayment', 'before')
      const payment = of(id)
      await fake.onCall('retrievePayment', 'after')
      return payment
    },
    async cancelPayment(id) {
      await fake.onCall('cancelPayment', 'before')
      if (of(id).state === 'open') change(id, { state: 'cancelled' })
      await fake.onCall('cancelPayment', 'after')
      return of(id)
    },
    async saveCardOf(id, customer) {
      await fake.onCall('saveCardOf', 'before')
      mustBeOpen(id)
      change(id, { savesCard: customer !== null, ...(customer ? { customer } : {}) })
      return of(id)
    },
    async payWithSaved(id) {
      await fake.onCall('payWithSaved', 'before')
      if (of(id).state === 'open') fake.pay(id)
      await fake.onCall('payWithSaved', 'after')
      return of(id)
    },
    async *listPayments({ since }) {
      await fake.onCall('listPayments', 'before')
      for (const payment of [...made.values()].reverse())
        if (!since || payment.createdAt >= since) yield payment
    },
    async refundPayment(id, { amountMinor, metadata }, once) {
      await fake.onCall('refundPayment', 'before')
      const request = JSON.stringify([id, amountMinor, metadata])
      const known = refundKeys.get(once)
      if (known && known.request !== request) throw new PaymentConflict('another request under this key')
      // Failures are stored under their idempotency key, too.
      const leftMinor = of(id).amountMinor - of(id).refundedMinor
      const refund = known?.refund ?? refundOf(id, amountMinor ?? leftMinor, metadata)
      refundKeys.set(once, { request, refund })
      if (refund instanceof PaymentConflict) throw refund
      await fake.onCall('refundPayment', 'after')
      return refund
    },
    refundsOf: async (id) => refunds.filter(({ payment }) => payment === id),
    async *listReturned() {
      await fake.onCall('listReturned', 'before')
      const returned = new Set(refunds.map(({ payment }) => payment))
      for (const { id, disputed } of made.values()) if (disputed || returned.has(id)) yield id
    },
    disputeOf: async (id) => disputes.get(of(id).id) ?? 'none',
    async disputeDetailsOf(id) {
      const state = await fake.disputeOf(id)
      return { state, isRefundable: state === 'none' || state === 'won' }
    },
    async readWebhook(rawBody, signature): Promise<ProviderEvent> {
      if (signature !== SIGNATURE) throw new BadSignature()
      return JSON.parse(rawBody.toString()) as ProviderEvent
    },
    // oxlint-disable-next-line require-yield -- It remembers none.
    async *listEvents() {},
  }
  return fake
}
