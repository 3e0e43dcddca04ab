import type Stripe from 'stripe'
import { DAY, HOUR } from '../calendar.ts'
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
import { previewRenewal, renew } from './renewing.ts'

/** Something that happens by itself, and when. */
interface Due {
  readonly at: number
  readonly run: (world: World) => void
}

/** As many between two breaths: the sandbox answers calls while a year goes by. */
const BREATH = 50

/**
 * Lets everything happen that is due until `target`, each at its own moment, which `set` makes the present one. What
 * is late already happens now.
 */
export async function letHappen(
  world: World,
  scope: Scope,
  target: number,
  set: (moment: number) => void,
): Promise<void> {
  const here = worldAt(world, scope)
  const { store } = world
  const due = new Map<string, Due>()
  const look = (id: string) => {
    const next = nextOf(store, notesOf(store, id))
    if (next) due.set(id, next)
    else due.delete(id)
  }
  for (const { id, scope: own } of store.all<Notes>('notes')) if (own === scope) look(id)
  for (let count = 1; ; count += 1) {
    const [id, seen] = earliest(due) ?? []
    if (!id || !seen || seen.at > target) break
    // A call may have changed it since.
    look(id)
    const first = due.get(id)
    if (first?.at !== seen.at) continue
    if (first.at > here.clock.now()) set(first.at)
    store.transaction(() => first.run(here))
    look(id)
    if (count % BREATH === 0) await new Promise(setImmediate)
  }
  if (target > here.clock.now()) set(target)
}

/** The same for one subscription alone, at once: what happened to it since it began. */
export function liveOn(world: World, id: string, target: number, set: (moment: number) => void): void {
  for (;;) {
    const next = nextOf(world.store, notesOf(world.store, id))
    if (!next || next.at > target) return
    set(next.at)
    next.run(world)
  }
}

/** The next moment at which anything happens by itself. */
export function nextMoment(store: Store, scope: Scope): number | null {
  const all = store
    .all<Notes>('notes')
    .flatMap((each) => (each.scope === scope ? (nextOf(store, each)?.at ?? []) : []))
  return all.length > 0 ? Math.min(...all) : null
}

function earliest(due: ReadonlyMap<string, Due>): [string, Due] | undefined {
  let first: [string, Due] | undefined
  for (const each of due) if (!first || each[1].at < first[1].at) first = each
  return first
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
