import type Stripe from 'stripe'
import { all, type Client, expanded, idOf, PAGE } from './client.ts'
import { type CardRefusal, endOfMonth, type PaymentMethod, toRefusal } from './payments.ts'
import { ifKnown, NotAtProvider, PaymentConflict } from './problems.ts'

export interface Person {
  readonly email: string
  readonly name: string
}

export interface StoredMethod {
  readonly id: string
  readonly kind: PaymentMethod
  /** Identifies the card number or PayPal payer across customers. Store it only as a hash. */
  readonly fingerprint: string | null
  readonly brand: string | null
  readonly last4: string | null
  /** The first moment after the card expires; null for PayPal. */
  readonly expiresAt: Date | null
}

export const openCustomers = ({ ask }: Client) => ({
  create: (
    person: Partial<Person> & { readonly metadata: Readonly<Record<string, string>> },
    idempotencyKey: string,
  ): Promise<string> =>
    ask('customers.create', async ({ customers }) => {
      const { id } = await customers.create(person, { idempotencyKey })
      return id
    }),

  update: (id: string, change: Partial<Person>): Promise<void> =>
    ask('customers.update', async ({ customers }) => {
      await customers.update(id, change)
    }),

  /** Attaches a `pm_…` that a browser created, unless it belongs to another customer. */
  keep: (id: string, method: string): Promise<string> =>
    ask(
      'customers.keep',
      async ({ paymentMethods }) => (await paymentMethods.attach(method, { customer: id })).id,
    ),

  ownerOf: (method: string): Promise<string | null> =>
    ask('customers.ownerOf', async ({ paymentMethods }) =>
      idOf((await paymentMethods.retrieve(method)).customer),
    ),

  cards: (id: string): Promise<StoredMethod[]> =>
    ask('customers.cards', async ({ paymentMethods }) =>
      (await all(paymentMethods.list({ customer: id, type: 'card', limit: PAGE }))).map(toStoredMethod),
    ),

  /** Detaches it, so that it can't be charged any more. Repeating it does no harm. */
  drop: async (method: string): Promise<void> => {
    const dropping = ask('customers.drop', ({ paymentMethods }) => paymentMethods.detach(method))
    await dropping.catch((error: unknown) => {
      if (!(error instanceof PaymentConflict) && !(error instanceof NotAtProvider)) throw error
    })
  },

  /** Ends the subscriptions and deletes the stored payment methods; invoices stay. Repeating it does no harm. */
  erase: async (id: string): Promise<void> => {
    await ifKnown(ask('customers.erase', ({ customers }) => customers.del(id)))
  },
})

export function toStoredMethod({ id, card, paypal }: Stripe.PaymentMethod): StoredMethod {
  return {
    id,
    kind: card ? 'card' : 'paypal',
    fingerprint: card?.fingerprint ?? paypal?.payer_id ?? null,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expiresAt: card ? endOfMonth(card) : null,
  }
}

/** `open` waits for a card, an authentication or another attempt; `pending` is with the bank. */
export type SetUpState = 'open' | 'pending' | 'done' | 'cancelled'

export interface SetUp {
  readonly id: string
  /** Only for the browser of the payer. */
  readonly clientSecret: string
  readonly state: SetUpState
  readonly customer: string | null
  readonly method: StoredMethod | null
  readonly refusal: CardRefusal | null
  readonly metadata: Readonly<Record<string, string>>
}

const WHOLE_SET_UP = ['payment_method']

export const openSetUps = ({ ask }: Client) => ({
  create: (
    params: { readonly customer: string; readonly metadata: Readonly<Record<string, string>> },
    idempotencyKey: string,
  ): Promise<SetUp> =>
    ask('setUps.create', async ({ setupIntents }) =>
      toSetUp(
        await setupIntents.create(
          {
            customer: params.customer,
            metadata: params.metadata,
            usage: 'off_session',
            allowed_payment_method_types: ['card', 'paypal'],
            expand: WHOLE_SET_UP,
          },
          { idempotencyKey },
        ),
      ),
    ),

  retrieve: (id: string): Promise<SetUp> =>
    ask('setUps.retrieve', async ({ setupIntents }) =>
      toSetUp(await setupIntents.retrieve(id, { expand: WHOLE_SET_UP })),
    ),
})

function toSetUp(intent: Stripe.SetupIntent): SetUp {
  const state = SET_UP_STATES[intent.status] ?? 'open'
  const method = state === 'done' ? expanded(intent.payment_method) : null
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    state,
    customer: idOf(intent.customer),
    method: method && toStoredMethod(method),
    refusal: toRefusal(intent.last_setup_error),
    metadata: intent.metadata ?? {},
  }
}

const SET_UP_STATES: Readonly<Record<string, SetUpState>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  processing: 'pending',
  succeeded: 'done',
  canceled: 'cancelled',
}
