import { DAY_MS } from '#contract/durations.ts'
import { reconcile } from '../features/checkout/reconcile-payments.ts'
import { reconcileMemberships } from '../features/membership/sync-due-memberships.ts'
import type { SandboxControl } from '../integrations/stripe/sandbox-control.ts'
import type { Shop } from '../shop.ts'
import { BUSINESS, type BusinessWork } from './business-jobs.ts'
import { storeClockOffset } from './queries.ts'

/** Two clocks count as equal if they differ by less: they are set in whole seconds and by network calls. */
const SAME_MS = 5_000

export interface Moved {
  readonly now: Date
  readonly stops: number
}

/** Advances the shop and the sandbox, stopping at every moment at which something is due, at least once a day. */
export async function advance(shop: Shop, sandboxControl: SandboxControl | null, ms: number): Promise<Moved> {
  const target = new Date(shop.clock.now().getTime() + ms)
  let stops = 0
  // Work that became due since the last run belongs to the time before the change.
  for (const { run } of all) await run(shop)
  while (shop.clock.now() < target) {
    await setClock(shop, sandboxControl, await nextStop(shop, sandboxControl, target))
    stops += 1
  }
  if (sandboxControl) {
    // Picks up webhook events that were lost on the way.
    await reconcileMemberships(shop)
    await reconcile(shop, Math.min(ms + DAY_MS, 40 * DAY_MS))
  }
  return { now: shop.clock.now(), stops }
}

/** After a start: the sandbox may have been stopped between two moments. */
export async function catchUp(shop: Shop, sandboxControl: SandboxControl): Promise<void> {
  const { now } = await sandboxControl.time()
  const behindMs = shop.clock.now().getTime() - now.getTime()
  if (behindMs > SAME_MS) await sandboxControl.advance(behindMs / 1000)
}

async function nextStop(shop: Shop, sandboxControl: SandboxControl | null, target: Date): Promise<Date> {
  const now = shop.clock.now()
  const due: (Date | null)[] = [target, new Date(now.getTime() + DAY_MS)]
  if (sandboxControl) due.push((await sandboxControl.time()).next)
  for (const { next } of all) due.push(next ? await next(shop, now) : null)
  return new Date(Math.min(...due.flatMap((each) => each?.getTime() ?? [])))
}

async function setClock(shop: Shop, sandboxControl: SandboxControl | null, stop: Date): Promise<void> {
  const { clock, db, now } = shop
  // Advance the shop first: it processes the events that the sandbox then sends.
  const aheadMs = Math.max(clock.aheadMs, stop.getTime() - now().getTime())
  await storeClockOffset(db, aheadMs)
  clock.aheadMs = aheadMs
  if (sandboxControl) {
    const there = (await sandboxControl.time()).now
    await sandboxControl.advance((Math.max(stop.getTime(), clock.now().getTime()) - there.getTime()) / 1000)
  }
  for (const { run } of all) await run(shop)
}

const all: readonly BusinessWork[] = Object.values(BUSINESS)
