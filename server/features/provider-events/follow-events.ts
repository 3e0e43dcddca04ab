import type { Shop } from '../../shop.ts'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import type { ProviderEvent } from '../../integrations/stripe/events.ts'
import { insertEvents, storeEventCursor, selectKnownEvents, selectEventCursor } from './queries.ts'
import { recordFailedAttempt, syncSubject } from './webhook.ts'

/** By then the webhook should have received the event. */
const READ_AFTER_MS = 2 * MINUTE_MS
/** The provider's list is written by many machines, so an event may appear after younger ones. */
const OVERLAP_MS = 10 * MINUTE_MS
/** How far the first run looks back: longer than the provider repeats a failed webhook. */
const FIRST_READ_MS = 4 * DAY_MS
/** An event that keeps failing for this long is left to the nightly sync of its membership. */
const RETRY_FOR_MS = DAY_MS
const EVENTS_PER_BATCH = 100
const CONCURRENCY = 4
/** Failing events are read first in each run, so a few must not end it. */
const MAX_UNANSWERED = 10

/** Job: handles events that the webhook missed or failed, from the stored cursor. Can be stopped at any time. */
export async function followEvents(shop: Shop, signal?: AbortSignal): Promise<void> {
  const now = shop.clock.now().getTime()
  const settledUntil = (await selectEventCursor(shop.db))?.getTime() ?? now - FIRST_READ_MS
  const since = new Date(settledUntil - OVERLAP_MS)
  const events: ProviderEvent[] = []
  for await (const event of shop.payments.listEvents({ since, until: new Date(now - READ_AFTER_MS) })) {
    if (signal?.aborted) return
    events.push(event)
  }
  let failedAt = Infinity
  for (let first = events.length; first > 0 && !signal?.aborted; first -= EVENTS_PER_BATCH) {
    const page = events.slice(Math.max(0, first - EVENTS_PER_BATCH), first).reverse()
    for (const { createdAt } of await dispatchNewEvents(shop, page, signal))
      failedAt = Math.min(failedAt, createdAt.getTime())
    const last = page.at(-1)!.createdAt.getTime()
    if (!signal?.aborted)
      await storeEventCursor(shop.db, new Date(Math.min(last, Math.max(failedAt, last - RETRY_FOR_MS))))
  }
}

async function dispatchNewEvents(
  shop: Shop,
  page: readonly ProviderEvent[],
  signal: AbortSignal | undefined,
): Promise<ProviderEvent[]> {
  const known = await selectKnownEvents(
    shop.db,
    page.map(({ id }) => id),
  )
  const bySubject = new Map<string, ProviderEvent[]>()
  for (const event of page) {
    const about = event.subject ? `${event.subject.kind} ${event.subject.id}` : ''
    if (!known.has(event.id)) bySubject.set(about, [...(bySubject.get(about) ?? []), event])
  }
  const failed: ProviderEvent[] = []
  const settle = async (events: readonly ProviderEvent[]) => {
    const { subject } = events[0]!
    if (subject) await syncSubject(shop, subject)
    for (const event of events) await recordFailedAttempt(shop, event)
    await insertEvents(
      shop.db,
      events.map(({ id, type }) => ({ id, type, receivedAt: shop.now() })),
    )
  }
  await forEachDue(bySubject.values(), settle, {
    log: shop.log,
    signal,
    problem: 'an event could not be settled',
    about: (events) => ({ events: events.map(({ id }) => id) }),
    onFailure: (events) => failed.push(...events),
    concurrency: CONCURRENCY,
    maxUnanswered: MAX_UNANSWERED,
  })
  return failed
}
