import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'

/** A test's settings for webhook delivery; kept across restarts. */
export interface WebhookWishes {
  readonly id: 'webhooks'
  /** Null disables webhooks: events in the meantime are never sent. */
  readonly url: string | null
  /** True: send nothing until `release`. */
  readonly hold: boolean
  /** Number of additional deliveries of each event. */
  readonly duplicates: number
}

interface Delivery {
  readonly id: string
  readonly event: string
  readonly attempts: number
}

export interface Released {
  readonly event: string
  readonly type: string
  /** The shop's HTTP status; 0 if there was no answer. */
  readonly status: number
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 300_000
const MOST_ATTEMPTS = 20
const ANSWER_MS = 10_000

const NO_WISHES: WebhookWishes = { id: 'webhooks', url: null, hold: false, duplicates: 0 }

/**
 * Sends each event with a signature until the shop answers with 2xx; pending deliveries survive a restart. Deliveries
 * are stored in the transaction that emits the event.
 */
export class Webhooks {
  readonly #store: Store
  readonly #secret: string
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #underWay = new Set<Promise<unknown>>()
  #closed = false

  constructor(store: Store, secret: string) {
    this.#store = store
    this.#secret = secret
  }

  get wishes(): WebhookWishes {
    return this.#store.get<WebhookWishes>('setting', 'webhooks') ?? NO_WISHES
  }

  wish(change: Partial<Omit<WebhookWishes, 'id'>>): void {
    this.#store.put('setting', { ...this.wishes, ...change })
    if (!this.wishes.hold) this.start()
  }

  /** Called within the transaction that emits the event. Without a URL the event is never sent. */
  enqueue(event: Stripe.EventBase): void {
    if (!this.wishes.url) return
    this.#store.put<Delivery>('delivery', { id: event.id, event: event.id, attempts: 0 })
    setImmediate(() => {
      if (!this.wishes.hold) this.#track(this.#send(event.id))
    })
  }

  start(): void {
    for (const { id } of this.#store.all<Delivery>('delivery')) this.#track(this.#send(id))
  }

  /** Sends the pending events one after the other in the given order, and returns the shop's answers. */
  async release(order: Order = 'made', times = 1, seed = 1): Promise<Released[]> {
    const waiting = this.#store.all<Delivery>('delivery').map(({ event }) => event)
    const events =
      order === 'reversed' ? waiting.reverse() : order === 'shuffled' ? shuffled(waiting, seed) : waiting
    const results: Released[] = []
    for (const event of events)
      for (let time = 0; time < times; time += 1) results.push(await this.sendNow(event))
    return results
  }

  /** Drops pending events for good: those of a type, or all. */
  drop(type: string | null): number {
    const lost = this.#store.all<Delivery>('delivery').filter(({ event }) => {
      const told = this.#store.get<Stripe.EventBase>('event', event)
      return type === null || told?.type === type
    })
    for (const { id } of lost) this.#store.remove('delivery', id)
    return lost.length
  }

  /** Sends an event once more, like Resend in Stripe's dashboard. */
  async sendNow(eventId: string): Promise<Released> {
    const event = this.#store.get<Stripe.EventBase>('event', eventId)
    if (!event) throw new Error(`No such event: ${eventId}`)
    const status = await this.#post(event)
    if (isTaken(status)) this.#done(event)
    return { event: event.id, type: event.type, status }
  }

  /** Resolves when no delivery is in progress; pending retries stay pending. */
  async settled(): Promise<void> {
    await new Promise(setImmediate)
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.settled()
  }

  async #send(id: string): Promise<void> {
    const delivery = this.#store.get<Delivery>('delivery', id)
    const event = this.#store.get<Stripe.EventBase>('event', id)
    const { hold, url, duplicates } = this.wishes
    if (!delivery || !event || this.#closed || hold || !url) return
    const times = delivery.attempts === 0 ? 1 + duplicates : 1
    const answers = await Promise.all(Array.from({ length: times }, () => this.#post(event)))
    if (answers.some(isTaken)) return this.#done(event)

    const attempts = delivery.attempts + 1
    if (this.#closed || !this.#store.get('delivery', id)) return
    if (attempts >= MOST_ATTEMPTS) return this.#store.remove('delivery', id)
    this.#store.put<Delivery>('delivery', { ...delivery, attempts })
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#track(this.#send(id))
      },
      Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1)),
    )
    this.#timers.add(timer)
  }

  /** @returns 0 if there was no answer */
  async #post(event: Stripe.EventBase): Promise<number> {
    const { url } = this.wishes
    if (!url) return 0
    const body = JSON.stringify(event, null, 2)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signature(body, this.#secret),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }

  #done(event: Stripe.EventBase): void {
    this.#store.transaction(() => {
      this.#store.remove('delivery', event.id)
      this.#store.put('event', { ...event, pending_webhooks: 0 })
    })
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work)
    void work.catch(console.error).finally(() => this.#underWay.delete(work))
  }
}

type Order = 'made' | 'reversed' | 'shuffled'

function shuffled<T>(all: readonly T[], seed: number): T[] {
  let state = seed
  const mixed = [...all]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = Math.floor((state / 2_147_483_648) * (last + 1))
    ;[mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!]
  }
  return mixed
}

const isTaken = (status: number): boolean => status >= 200 && status < 300

/** Uses the real clock, not the sandbox's, because the shop compares it with its own. */
function signature(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  const hash = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hash}`
}
