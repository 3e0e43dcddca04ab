import { wait, within } from '#storage/wait.ts'
import { followBookmarks, waitingBookmarks, followHighlights } from '#sync/marks.ts'
import { askForPlaces, flush } from '#sync/flush.ts'
import { choosePlace, followServer, type LengthsOf } from '#sync/follow-server.ts'
import { askForSync } from '#storage/messages.ts'
import { keepPlace } from '#sync/outbox.ts'
import { followLists } from '#sync/lists.ts'
import { createPlaceQueue } from '#sync/place-queue.ts'
import type { DatedPlace, PlacesDb } from '#storage/places-db.ts'
import { listPlaces, notePlacesKnown, resumePlace, watchPlaces } from '#storage/places.ts'
import { placeStash, readingStash } from '#sync/stash.ts'
import { withRoomMade } from '#storage/open.ts'
import type { HeardPlace, ResumePlace } from '#storage/place.ts'
import { followSpeeds, speedsIn } from '#sync/speeds.ts'
import { connectivity } from '#net/connectivity.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { settings } from '#net/settings.ts'
import { whileSeen } from '#ui/while-seen.ts'
import { startFlushLoop } from './flush-loop.ts'
import { createSendOnClose } from './send-on-close.ts'
import { type ListeningState, useListeningStore } from './store.ts'

/** Stores and sends one user's places. Loaded lazily for logged-in users, because it includes Dexie. */
export interface Listening {
  readonly ownerUuid: string
  /** Stores a place and queues it for the server. Never throws: holds what can't be stored until it can. */
  keep: (place: HeardPlace) => void
  /** The page is being hidden or closed: secures unstored and unsent places synchronously. */
  leave: (how: 'hidden' | 'going') => void
  /**
   * The place to resume, after a server request of half a second at most; undefined for a book not started.
   */
  lastPlace: (slug: string) => Promise<ResumePlace | undefined>
  /** Answers the two-places question; resolves to the place to continue at. */
  choose: (slug: string, choice: 'here' | 'there') => Promise<DatedPlace | undefined>
  returnTo: (slug: string, place: { chapter: number; seconds: number }) => Promise<void>
  /** Pulls the account's bookmarks of a book; concurrent calls share a request. */
  followBookmarks: (slug: string) => Promise<void>
  followLists: () => Promise<void>
  sendNow: () => Promise<unknown>
  stop: () => void
}

export interface ListeningPorts {
  /** Chapter lengths, if known; without them, two different chapters count as far apart. */
  lengthsOf?: LengthsOf
}

/** A downloaded book must start within a second; a later answer counts at the next opening (trap 22). */
const ASK_SERVER_MS = 500
/** Each saved place returns its book's current place; this pull is for books played on other devices. */
const OFTEN_ENOUGH_MS = 5 * 60_000
/** Retry storing: the device may have free space again. */
const ASK_DEVICE_MS = 5_000
const JUST_NOW_MS = 10_000
const FOLD_MS = 300

export async function openListening(
  ownerUuid: string,
  { lengthsOf }: ListeningPorts = {},
): Promise<Listening> {
  const queue = createPlaceQueue(
    (heard) => withRoomMade(() => keepPlace(ownerUuid, heard)).then(sendOnClose.stored),
    (stuck) => useListeningStore.setState({ stuck }),
  )
  const sendOnClose = createSendOnClose(ownerUuid, queue)
  void oneAtATime(TOKEN_LOCK, () => settings.tokens.lend()).catch(() => undefined)
  // Store the places that the previous page could only stash, before anything resumes.
  await placeStash.restore(ownerUuid).catch(() => undefined)
  await readingStash.restore(ownerUuid).catch(() => undefined)

  const loop = startFlushLoop(
    () => sendOnClose.whileSending(() => flush(ownerUuid, lengthsOf ? { lengthsOf } : {})),
    (outcome) => {
      if (outcome === 'waiting') void askForSync()
      if (outcome !== 'empty' || document.visibilityState === 'hidden') return
      void pull(OFTEN_ENOUGH_MS)
      void pullBookmarks()
      void pullLists()
    },
  )

  /** All books once, then single books when opened or changed on another device. */
  let bookmarksPulled = false
  const pullBookmarks = async () => {
    if (bookmarksPulled) return
    bookmarksPulled = true
    await Promise.all([followBookmarks(ownerUuid), followHighlights(ownerUuid)]).catch(
      () => void (bookmarksPulled = false),
    )
  }
  let listsPulled = false
  const pullLists = async () => {
    if (listsPulled) return
    listsPulled = true
    await followLists(ownerUuid).catch(() => void (listsPulled = false))
  }
  const askingFor = new Map<string, Promise<void>>()

  /** One at a time; a failure only leaves the device's data as it is. */
  let pulling: Promise<void> | undefined
  let pulledAtMs = 0
  const pull = (unlessYoungerMs: number) => {
    if (Date.now() - pulledAtMs < unlessYoungerMs) return Promise.resolve()
    pulling ??= pullPlaces(ownerUuid, lengthsOf)
      .then(() => void (pulledAtMs = Date.now()))
      .catch(() => undefined)
      .finally(() => (pulling = undefined))
    return pulling
  }
  /** Send pending places first: the answer may be that another device has moved on from there. */
  const askWhereToGoOn = async () => {
    await loop.now()
    await pull(JUST_NOW_MS)
  }

  const unwatch = [
    ...READ_FOR_SCREENS.map((read) =>
      whileSeen(() => watchPlaces(ownerUuid, read, (state) => useListeningStore.setState(state))),
    ),
    // Only an answer from the server changes `basedOn`, so saves need not be watched.
    watchPlaces(
      ownerUuid,
      (db) => db.server.toArray(),
      () =>
        void listPlaces(ownerUuid).then(
          (places) => places.forEach(sendOnClose.stored),
          () => undefined,
        ),
    ),
  ]

  const keep = (place: HeardPlace) => queue.keep(sendOnClose.heard(place))
  const retry = setInterval(() => {
    if (queue.stuck()) void queue.drain().then(loop.waiting)
  }, ASK_DEVICE_MS)

  return {
    ownerUuid,
    keep(place) {
      void keep(place).then(() => {
        loop.waiting()
        // A place that the device refuses to store is sent to the server all the same.
        if (queue.stuck()) void sendOnClose.leave('hidden')
      })
    },
    leave(how) {
      const sent = sendOnClose.leave(how)
      if (sent) loop.sentOtherwise()
      void sent?.then((arrived) => {
        if (arrived) return
        void askForSync()
        void loop.now()
      })
    },
    async lastPlace(slug) {
      // Offline, a downloaded book starts without any request.
      if (connectivity.snapshot() !== 'offline') await within(ASK_SERVER_MS, askWhereToGoOn())
      const place = await resumePlace(ownerUuid, slug).catch(() => undefined)
      if (!place) return undefined
      const { chapter, seconds, fromSeconds, sound, heardAtMs } = place
      return { chapter, seconds, fromSeconds, sound, heardAtMs }
    },
    async choose(slug, choice) {
      const taken = await choosePlace(ownerUuid, slug, choice)
      void loop.now()
      return taken
    },
    async returnTo(slug, { chapter, seconds }) {
      await keep({ slug, chapter, seconds, fromSeconds: seconds, listenedSeconds: 0 })
      void loop.now()
    },
    followBookmarks(slug) {
      const asking =
        askingFor.get(slug) ??
        // Combine several changes from one device into one request.
        wait(FOLD_MS).then(() => {
          askingFor.delete(slug)
          return followBookmarks(ownerUuid, slug).catch(() => undefined)
        })
      askingFor.set(slug, asking)
      return asking
    },
    followLists: () => followLists(ownerUuid).catch(() => undefined),
    async sendNow() {
      await queue.drain()
      return loop.now()
    },
    stop() {
      clearInterval(retry)
      unwatch.forEach((stop) => stop())
      loop.stop()
      useListeningStore.setState(useListeningStore.getInitialState(), true)
    },
  }
}

async function pullPlaces(ownerUuid: string, lengthsOf?: LengthsOf) {
  const rows = await askForPlaces(ownerUuid)
  await followSpeeds(ownerUuid, speedsIn(rows))
  await followServer(ownerUuid, rows, lengthsOf)
  await notePlacesKnown(ownerUuid)
}

/** Separate queries, so that a save repeats only those it affects. */
const READ_FOR_SCREENS: readonly ((db: PlacesDb) => Promise<Partial<ListeningState>>)[] = [
  async (db) => ({ twoPlaces: await db.twoPlaces.toArray() }),
  async (db) => ({ receipt: await db.receipts.orderBy(':id').last() }),
  async (db) => ({ bookmarksWaiting: (await waitingBookmarks(db)).length }),
  async (db) => ({
    marksRefused:
      (await db.bookmarkChanges.filter(({ setAside }) => setAside === 1).count()) +
      (await db.highlightChanges.filter(({ setAside }) => setAside === 1).count()),
  }),
  async (db) => ({ waiting: await db.outbox.filter(({ setAside }) => setAside === 0).count() }),
]
