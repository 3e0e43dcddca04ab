import { DAY_MS } from '#contract/durations.ts'
import { reconcile } from '../features/checkout/reconcile-payments.ts'
import { reconcileMemberships } from '../features/membership/sync-due-memberships.ts'
import type { SandboxControl } from '../integrations/stripe/sandbox-control.ts'
import type { Shop } from '../shop.ts'
import { BUSINESS, type BusinessWork } from './business-jobs.ts'
import { storeClockOffset } from './queries.ts'

/** Clocks that are set by whole seconds and by network calls are the same when they differ by less. */
const SAME_MS = 5_000

export interface Moved {
  readonly now: Date
  /** How often it stopped on the way. */
  readonly stops: number
}

/**
 * Moves business time on, here and at the stand-in for the provider. It stops at every moment at which something is due, and
 * once a day, and what is due there is done and told before time goes on: a year passes as a year does, only faster.
 */
export async function advance(shop: Shop, sandboxControl: SandboxControl | null, ms: number): Promise<Moved> {
  const target = new Date(shop.clock.now().getTime() + ms)
  let stops = 0
  // Work that became due since the last round belongs to the time that is left now.
  for (const { run } of all) await run(shop, () => false)
  while (shop.clock.now() < target) {
    await setClock(shop, sandboxControl, await nextStop(shop, sandboxControl, target))
    stops += 1
  }
  if (sandboxControl) {
    // Whatever was not told on the way is found now.
    await reconcileMemberships(shop)
    await reconcile(shop, Math.min(ms + DAY_MS, 40 * DAY_MS))
  }
  return { now: shop.clock.now(), stops }
}

/** After a start: the stand-in may have been stopped between two moments. */
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
  // Ours first: what is told on the way is settled by it. A kill in between is caught up with after the start.
  const aheadMs = Math.max(clock.aheadMs, stop.getTime() - now().getTime())
  await storeClockOffset(db, aheadMs)
  clock.aheadMs = aheadMs
  if (sandboxControl) {
    const there = (await sandboxControl.time()).now
    await sandboxControl.advance((Math.max(stop.getTime(), clock.now().getTime()) - there.getTime()) / 1000)
  }
  for (const { run } of all) await run(shop, () => false)
}

const all: readonly BusinessWork[] = Object.values(BUSINESS)
