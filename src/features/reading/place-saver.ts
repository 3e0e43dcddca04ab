import { within } from '#storage/wait.ts'
import { pageSecondsAgo, readClock } from '#storage/clock.ts'
import { flush } from '#sync/flush.ts'
import type { ReadingPlace } from '#storage/places-db.ts'
import { readSetting, writeSetting } from '#storage/places.ts'
import { readingStash } from '#sync/stash.ts'
import { followReadings, storeReading, readingBody, readingOf, applyAnswer } from '#sync/readings.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { sendAtOnce } from '#net/send-at-once.ts'
import { lookFrom, type Look, type ReadingPosition } from './model.ts'

/** A downloaded book opens at once; a later answer of the server is used the next time (trap 22). */
const ASK_SERVER_MS = 1_500
/** Turning several pages quickly sends one position. */
const SEND_AFTER_MS = 3_000

export interface PlaceSaver {
  /** The position to resume, after waiting briefly for the server. */
  lastPlace: () => Promise<{ locator: string; share: number } | undefined>
  keep: (spot: ReadingPosition) => void
  send: () => void
  stop: () => void
}

export function openPlaceSaver(ownerUuid: string, slug: string): PlaceSaver {
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<unknown> = Promise.resolve()
  /** The last position, until the server has it. */
  let unsent: ReadingPlace | undefined
  let sending: Promise<unknown> | undefined

  const send = () => {
    clearTimeout(timer)
    timer = undefined
    void writing
      .then(() => sending)
      .then(async () => {
        const last = unsent
        if ((await flush(ownerUuid)) === 'empty' && unsent === last) unsent = undefined
      })
      .catch(() => undefined)
  }
  /** Don't await anything: a page that is leaving may never resume. */
  const leave = () => {
    const place = unsent
    unsent = undefined
    if (!place) return
    sending = sendAtOnce(
      'POST /api/user_e_book_places',
      readingBody(place, pageSecondsAgo(place.clock.ms)),
      ownerUuid,
      (answer) => applyAnswer(ownerUuid, place, answer, readClock().wallMs),
    )
  }
  const onHide = () => {
    if (document.visibilityState !== 'hidden') return
    leave()
    send()
  }
  document.addEventListener('visibilitychange', onHide)
  window.addEventListener('pagehide', leave)
  const unfollow = connectivity.subscribe((state) => state === 'online' && send())

  return {
    async lastPlace() {
      await readingStash.restore(ownerUuid).catch(() => undefined)
      if (connectivity.snapshot() !== 'offline')
        await within(ASK_SERVER_MS, askServer(ownerUuid, slug)).catch(() => undefined)
      return readingOf(ownerUuid, slug).catch(() => undefined)
    },
    keep({ locator, share }) {
      const turned = { slug, locator, share, eventId: crypto.randomUUID(), clock: readClock() }
      readingStash.add(ownerUuid, [turned])
      writing = writing
        .then(() => storeReading(ownerUuid, turned))
        .then((place) => {
          unsent = place
          readingStash.clear(ownerUuid, ({ eventId }) => eventId === turned.eventId)
        })
        // Pages still turn if nothing can be stored; the next turn tries again.
        .catch(() => undefined)
      timer ??= setTimeout(send, SEND_AFTER_MS)
    },
    send,
    stop() {
      if (timer !== undefined) send()
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('pagehide', leave)
      unfollow()
    },
  }
}

/** Send an unsent position first, so that the answer is the newer of both. */
async function askServer(ownerUuid: string, slug: string): Promise<void> {
  await flush(ownerUuid)
  const answer = await call('GET /api/user_e_book_places', {
    query: { eBook: `/api/e_books/${slug}` },
    background: true,
    as: ownerUuid,
  })
  await followReadings(ownerUuid, answer['hydra:member'])
}

const LOOK = 'reading-look'
export const readLook = async (ownerUuid: string): Promise<Look> =>
  lookFrom(await readSetting(ownerUuid, LOOK).catch(() => undefined))
export const storeLook = (ownerUuid: string, look: Look): void =>
  void writeSetting(ownerUuid, LOOK, look).catch(() => undefined)
