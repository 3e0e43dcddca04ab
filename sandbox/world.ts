import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Clock } from './clock.ts'
import type { Store } from './store.ts'

export const API_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion

export interface World {
  readonly store: Store
  readonly clock: Clock
  readonly keys: Keys
  /** The origin of its pages and frames; known once the server listens. */
  readonly origin: () => string
  /** Stores an event, which is sent when the transaction commits. */
  readonly emit: (type: Stripe.Event.Type, object: object, before?: object) => void
  /** API calls with the secret key since the last query, such as `GET /v1/invoices`. */
  readonly calls: string[]
  readonly react: Reactions
}

export interface Reactions {
  intentPaid(world: World, intent: Stripe.PaymentIntent): void
  intentRefused(world: World, intent: Stripe.PaymentIntent): void
  setUpDone(world: World, intent: Stripe.SetupIntent): void
}

export interface Keys {
  readonly secret: string
  readonly publishable: string
  readonly webhook: string
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`
