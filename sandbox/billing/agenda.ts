import type Stripe from 'stripe'
import { DAY, HOUR } from '../calendar.ts'
import { subscriptionOf } from '../objects/invoice.ts'
import { periodOf } from '../objects/subscription.ts'
import type { Store } from '../store.ts'
import type { World } from '../world.ts'
import { accountOf } from './account.ts'
import { finaliseAndCharge, retry, retryAt } from './charging.ts'
import { endSubscription, expire } from './ending.ts'
import { voided } from './invoices.ts'
import { type Scope, worldAt } from './moment.ts'
import { type Dunning, note, type Notes, notesOf } from './notes.ts'
import { dropWaiting } from './standing.ts'
import { Queue } from './queue.ts'
import { previewRenewal, renew } from './renewing.ts'

interface Due {
  readonly at: number
  readonly run: (world: World) => void
}

/** Number of actions between two yields to the event loop: the sandbox answers calls while a year passes. */
const BREATH = 50

/**
 * The next scheduled action of every subscription. It subscribes to changes of the store, so a lookup costs only the
 * changes since the last one, not the number of subscriptions.
 */
export class Agenda {
  readonly #store: Store
  readonly #changed = new Set<string>()
  readonly #queues = new Map<Scope, Queue>()

  constructor(store: Store) {
    this.#store = store
    for (const { id } of store.all<Notes>('notes')) this.#changed.add(id)
    store.listen((kind, id, value) => this.#note(kind, id, value))
  }

  nextMoment(scope: Scope): number | null {
    return this.#next(scope)?.at ?? null
  }

  /**
   * Runs all actions that are due until `target`, each at its own time, to which `set` moves the clock. Overdue actions
   * run now.
   */
  async letHappen(world: World, scope: Scope, target: number, set: (moment: number) => void): Promise<void> {
    const here = worldAt(world, scope)
    for (let count = 1; ; count += 1) {
      const due = this.#next(scope)
      if (!due || due.at > target) break
      if (due.at > here.clock.now()) set(due.at)
      this.#store.transaction(() => due.run(here))
      if (count % BREATH === 0) await new Promise(setImmediate)
    }
    if (target > here.clock.now()) set(target)
  }

  #note(kind: string, id: string, value: object | null): void {
    if (kind === 'subscription' || kind === 'notes') this.#changed.add(id)
    if (kind === 'invoice' && value) this.#noteInvoice(value)
    if (kind === 'dunning') this.#noteInvoice(this.#store.get<Stripe.Invoice>('invoice', id))
    // The account's settings contain the retry days and other delays.
    if (kind === 'setting' && id === 'account')
      for (const notes of this.#store.all<Notes>('notes')) this.#changed.add(notes.id)
  }

  #noteInvoice(invoice: object | undefined): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies in the drawer of invoices
    const subscription = invoice && subscriptionOf(invoice as Stripe.Invoice)
    if (subscription) this.#changed.add(subscription)
  }

  #next(scope: Scope): Due | undefined {
    for (const id of this.#changed) {
      const notes = notesOf(this.#store, id)
      let queue = this.#queues.get(notes.scope)
      if (!queue) this.#queues.set(notes.scope, (queue = new Queue()))
      queue.set(id, nextOf(this.#store, notes)?.at)
    }
    this.#changed.clear()
    const id = this.#queues.get(scope)?.first()
    return id === undefined ? undefined : nextOf(this.#store, notesOf(this.#store, id))
  }
}

/** Runs the past actions of one subscription up to `target`. */
export function liveOn(world: World, id: string, target: number, set: (moment: number) => void): void {
  for (;;) {
    const next = nextOf(world.store, notesOf(world.store, id))
    if (!next || next.at > target) return
    set(next.at)
    next.run(world)
  }
}

function nextOf(store: Store, notes: Notes): Due | undefined {
  const of = store.get<Stripe.Subscription>('subscription', notes.id)
  if (!of || of.ended_at !== null) return undefined
  const all = [...ofSubscription(store, of, notes), ...notes.invoices.flatMap((id) => ofInvoice(store, id))]
  return all.toSorted((one, other) => one.at - other.at)[0]
}

function ofSubscription(store: Store, of: Stripe.Subscription, notes: Notes): Due[] {
  const again = (run: (world: World, of: Stripe.Subscription) => void) => (world: World) =>
    run(world, store.get<Stripe.Subscription>('subscription', of.id)!)
  if (of.status === 'incomplete') return [{ at: of.created + 23 * HOUR, run: again(expire) }]
  if (of.status === 'paused') return []
  const { start, end } = periodOf(of)
  const due: Due[] = [{ at: end + accountOf(store).renewalSeconds, run: again(renew) }]
  if (of.cancel_at !== null && of.cancel_at < end)
    due.push({
      at: of.cancel_at,
      run: again((world, now) => void endSubscription(world, now, 'cancellation_requested')),
    })
  if (of.pending_update) due.push({ at: of.pending_update.expires_at, run: again(expireUpdate) })
  if (of.status === 'trialing' && !notes.toldTrialEnd)
    due.push({ at: end - 3 * DAY, run: again(tellTrialEnd) })
  const told = end - accountOf(store).upcomingDays * DAY
  if (notes.toldUpcoming !== end && told > start && of.cancel_at === null && of.status !== 'unpaid')
    due.push({ at: told, run: again(tellUpcoming) })
  return due
}

function ofInvoice(store: Store, id: string): Due[] {
  const invoice = store.get<Stripe.Invoice>('invoice', id)!
  const again = (run: (world: World, invoice: Stripe.Invoice) => void) => (world: World) =>
    run(world, store.get<Stripe.Invoice>('invoice', id)!)
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at != null)
    return [{ at: invoice.automatically_finalizes_at, run: again(finaliseAndCharge) }]
  const dunning = store.get<Dunning>('dunning', id)
  const at = dunning && retryAt(store, dunning)
  return at ? [{ at, run: again(retry) }] : []
}

function tellTrialEnd(world: World, of: Stripe.Subscription): void {
  note(world.store, of.id, { toldTrialEnd: true })
  world.emit('customer.subscription.trial_will_end', of)
}

function tellUpcoming(world: World, of: Stripe.Subscription): void {
  note(world.store, of.id, { toldUpcoming: periodOf(of).end })
  const { id: _, ...upcoming } = previewRenewal(world, of)
  world.emit('invoice.upcoming', upcoming)
}

function expireUpdate(world: World, of: Stripe.Subscription): void {
  const { waiting } = notesOf(world.store, of.id)
  const invoice = waiting && world.store.get<Stripe.Invoice>('invoice', waiting.invoice)
  dropWaiting(world, of.id)
  if (invoice?.status === 'open') voided(world, invoice)
  world.emit('customer.subscription.pending_update_expired', world.store.get('subscription', of.id)!)
}
