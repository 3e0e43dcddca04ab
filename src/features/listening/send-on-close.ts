import { pageSecondsAgo, readClock } from '#storage/clock.ts'
import { applyAnswerTo, standingIn, type FlushOutcome } from '#sync/flush.ts'
import { askForSync, type PlaceOnClose } from '#storage/messages.ts'
import { eventBody, thisDeviceId } from '#sync/outbox.ts'
import type { PlaceQueue } from '#sync/place-queue.ts'
import type { HeardPlace } from '#storage/place.ts'
import type { LocalPlace } from '#storage/places-db.ts'
import { placeStash } from '#sync/stash.ts'
import { sendAtOnce } from '#net/send-at-once.ts'

export interface SendOnClose {
  /** Adds the event id, so that the event counts once however it is sent. */
  heard: (place: HeardPlace) => HeardPlace & { eventId: string }
  /** The place is in the database: drops its stash, and sets the base of the book's next event. */
  stored: (place: LocalPlace | undefined) => void
  /** Runs a flush once the request of `leave` has been answered. */
  whileSending: (flush: () => Promise<FlushOutcome>) => Promise<FlushOutcome>
  /**
   * Stashes the unstored place and sends the unsent one, synchronously. Resolves to whether it arrived, for a
   * page that stays open; undefined if nothing is unsent.
   */
  leave: (how: 'hidden' | 'going') => Promise<boolean> | undefined
}

/**
 * Sends the last place when the page is hidden, frozen or closed, without waiting for a database or a lock:
 * as a stash in local storage for the next page, a keepalive request, and a message to the service worker,
 * which stores and sends it if the request fails. Each has the same event id, so repeats are harmless
 * (PLAY-24).
 */
export function createSendOnClose(ownerUuid: string, queue: PlaceQueue): SendOnClose {
  /** Read now, because `leave` can't wait for it. */
  let device: string | undefined
  void thisDeviceId().then(
    (id) => (device = id),
    () => undefined,
  )
  const basedOn = new Map<string, string | null>()
  /** The last event of this page, until the server has confirmed it. */
  let unsent: (HeardPlace & { eventId: string }) | undefined
  /**
   * Until the server has the backlog: a long distance is compared as a whole before any of it is sent
   * (PLAY-27).
   */
  let hasBacklog = true
  let sending: Promise<boolean> | undefined

  const send = (heard: HeardPlace & { eventId: string }): Promise<boolean> | undefined => {
    if (sending) return sending
    if (!device || hasBacklog) return undefined
    const clock = heard.clock ?? readClock()
    const body = eventBody(
      { ...heard, heardAtMs: clock.wallMs, basedOn: basedOn.get(heard.slug) ?? null },
      device,
      pageSecondsAgo(clock.pageMs),
    )
    sending = sendAtOnce('POST /api/user_chapter_times', body, ownerUuid, async (answer) => {
      await queue.drain()
      await applyAnswerTo(ownerUuid, heard.eventId, standingIn(answer))
      if (unsent?.eventId === heard.eventId) unsent = undefined
    })?.finally(() => (sending = undefined))
    return sending
  }

  return {
    heard(place) {
      unsent = { ...place, clock: readClock(), eventId: crypto.randomUUID() }
      return unsent
    },
    stored(place) {
      if (!place) return
      basedOn.set(place.slug, place.basedOn)
      placeStash.clear(ownerUuid, ({ eventId }) => eventId === place.eventId)
    },
    async whileSending(flush) {
      await sending
      const last = unsent
      const isStored = !queue.unwritten().some(({ eventId }) => eventId === last?.eventId)
      const outcome = await flush()
      hasBacklog = outcome === 'waiting'
      if (outcome === 'empty' && last && isStored) {
        // The server has this event now, so the next one is based on it.
        basedOn.set(last.slug, last.eventId)
        if (unsent === last) unsent = undefined
      }
      return outcome
    },
    leave(how) {
      placeStash.add(ownerUuid, queue.unwritten())
      if (!unsent) return undefined
      const sent = send(unsent)
      if (how === 'going') {
        // There may be no service worker.
        const left: PlaceOnClose = { type: 'HEARD', ownerUuid, heard: unsent }
        navigator.serviceWorker?.controller?.postMessage(left)
        void askForSync()
      }
      return sent ?? Promise.resolve(false)
    },
  }
}
