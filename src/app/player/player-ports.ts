import type { QueryClient } from '@tanstack/react-query'
import type { Book } from '#contract/catalogue.ts'
import { bookmarksOf, listBookmarks, putBookmark, removeBookmark } from '#device/bookmarks.ts'
import type { PlacesDb } from '#device/places-db.ts'
import { watchPlaces } from '#device/places.ts'
import { chooseSpeed, storeBegunSpeed, speedOf } from '#device/speeds.ts'
import { titleKey } from '#device/title-key.ts'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import {
  isStoredWhole,
  markFinished,
  markHeard,
  openedDownloads,
  prefetchChapters,
  removeDownload,
  startDownload,
  storedTitle,
} from '#features/downloads/lazy.ts'
import { explainFailure } from '#features/downloads/explain-failure.ts'
import { isMuch } from '#features/downloads/model.ts'
import { storedSound, wakeWorker } from '#features/downloads/sound-address.ts'
import { readDownload, subscribeDownloads } from '#features/downloads/store.ts'
import { EDITORIAL_KINDS } from '#features/editorial/model.ts'
import { itemQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { claimSound } from '#features/listening/claim-sound.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { recordPlayer } from '#features/listening/record-player.ts'
import type { Engine } from '#features/player/controls.ts'
import type { TitleRef } from '#features/player/model.ts'
import type { DownloadView, EarlierNote, PlayerPorts, Sound } from '#features/player/ports.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import type { OtherDevices } from '#features/listening/follow-other-devices.ts'
import { playableBook, playableRecording, playableSample, playableStored } from '#features/player/playable.ts'

/** Everything the player needs of the rest of the app, tied together here and nowhere else. */
export function playerPorts(queryClient: QueryClient): PlayerPorts {
  const ownBook = (slug: string, fresh = false) => {
    // In the background: if the session ends here, nobody is taken away from what is stored.
    const query = ownBookQuery('audio_books', slug, currentOwner() ?? '', { background: true })
    return queryClient.fetchQuery(fresh ? { ...query, staleTime: 0 } : query)
  }
  const cachedBook = (slug: string) =>
    queryClient.getQueryData(ownBookQuery('audio_books', slug, currentOwner() ?? '').queryKey)
  const anyBook = (slug: string) => queryClient.fetchQuery(bookQuery('audio_books', slug))

  const sampleSound = async (slug: string): Promise<Sound | undefined> => {
    const { sample } = found(await anyBook(slug))
    return sample ? { url: sample, stored: false } : undefined
  }

  /** `interviews/{slug}`, as this reader may have it. */
  const recording = async (address: string, fresh = false) => {
    const [folder, slug = ''] = address.split('/')
    const kind = EDITORIAL_KINDS.find((each) => each === folder)
    if (!kind) throw new NetProblem('refused', 404)
    const owner = sessionEnded() ? undefined : currentOwner()
    const query = owner ? ownItemQuery(kind, slug, owner) : itemQuery(kind, slug)
    const item = await queryClient.fetchQuery(fresh ? { ...query, staleTime: 0 } : query)
    if (!item) throw new NetProblem('refused', 404)
    return item
  }
  const recordingSound = async (address: string, fresh: boolean): Promise<Sound | undefined> => {
    const { audioFile } = await recording(address, fresh)
    return audioFile ? { url: audioFile, stored: false } : undefined
  }

  const streamed = (book: Book | null | undefined, chapter: number): Sound | undefined => {
    const file = book?.audioFiles.find(({ chapterOrderNumber }) => chapterOrderNumber === chapter)
    return file && { url: file.url, stored: false }
  }

  /** Stored addresses that the player has been given; asked for anew, such a one did not work. */
  const given = new Set<string>()

  const bookSound = (slug: string, chapter: number, fresh: boolean) => {
    const owner = currentOwner()
    const stored = owner ? storedSound(owner, slug, chapter) : undefined
    const fromNetwork = () => {
      const known = fresh ? undefined : streamed(cachedBook(slug), chapter)
      if (known) return known
      return connectivity.snapshot() === 'offline' || sessionEnded()
        ? undefined
        : ownBook(slug, fresh).then((book) => streamed(book, chapter))
    }
    const fromDevice = (url: string): Sound => {
      given.add(url)
      return { url, stored: true }
    }
    /** Passed over once (trap 11); where nobody else has it, and it is whole after all, it gets another try. */
    const instead = async (url: string) => {
      const isWhole = await isStoredWhole(slug, chapter)
      return (await fromNetwork()) ?? (isWhole ? fromDevice(url) : undefined)
    }
    const known = (url: string | undefined) => {
      if (url) return fresh && given.delete(url) ? instead(url) : fromDevice(url)
      // It is said to be here, and cannot be read.
      if (stored) void isStoredWhole(slug, chapter)
      return fromNetwork()
    }
    return stored instanceof Promise ? stored.then(known) : known(stored)
  }

  return {
    async loadBook(slug) {
      const stored = await storedTitle(slug)
      const whole = stored && readDownload(titleKey('audio', slug)).state === 'done'
      if (stored && (whole || sessionEnded() || connectivity.snapshot() === 'offline'))
        return playableStored(stored)
      // Asked now, the server would answer as to a stranger: a book without its sound.
      if (sessionEnded()) throw new NetProblem('refused', 401)
      try {
        return playableBook(found(await ownBook(slug)))
      } catch (problem) {
        // The stored part of it plays, whatever the network says; also where the session ended with this question.
        if (stored && problem instanceof NetProblem && (problem.unreachable || problem.status === 401))
          return playableStored(stored)
        throw problem
      }
    },
    loadSample: async (slug) => {
      const book = found(await anyBook(slug))
      if (book.entityType !== 'audioBook') throw new NetProblem('refused', 404)
      return playableSample(book)
    },
    loadRecording: async (slug) => playableRecording(await recording(slug)),
    soundFor({ slug, kind }: TitleRef, chapter, { fresh }) {
      if (kind === 'sample') return sampleSound(slug)
      return kind === 'recording' ? recordingSound(slug, fresh) : bookSound(slug, chapter, fresh)
    },
    prefetch: prefetchChapters,
    warm: ({ url }) => wakeWorker(url),
    async zipOffline(slug) {
      const owner = currentOwner()
      if (!owner) throw new Error('Nobody is logged in')
      const { saveStoredZip } = await import('#features/downloads/save-stored-zip.ts')
      await saveStoredZip(owner, slug)
    },
    lastPlace: async (slug) => (await openedListening())?.lastPlace(slug),
    claimSound,
    takeOver: (at) => otherDevices?.takeOver(at),
    speeds: {
      read: (slug) => forOwner((owner) => speedOf(owner, slug)),
      keep: (slug, speed) => sent((owner) => chooseSpeed(owner, slug, speed)),
      keepBegun: (slug, speed) => forOwner((owner) => storeBegunSpeed(owner, slug, speed)),
      subscribe: (slug, onSpeed) =>
        watched(
          (db) => db.speeds.get(slug),
          (chosen) => chosen && onSpeed(chosen.speed),
        ),
    },
    bookmarks: {
      list: async (slug) => (await forOwner((owner) => listBookmarks(owner, slug))) ?? [],
      put: (bookmark) => sent((owner) => putBookmark(owner, bookmark)),
      remove: (id) => sent((owner) => removeBookmark(owner, id)),
      earlierNotes: async (id) => (await forOwner((owner) => earlierNotes(owner, id))) ?? [],
      subscribe: (slug, onChange) => watched((db) => bookmarksOf(db, slug), onChange),
    },
    connectivity: {
      isOnline: () => connectivity.snapshot() !== 'offline',
      subscribe: (onChange) => connectivity.subscribe(onChange),
    },
    downloads: {
      read: downloadView,
      subscribe: (_slug, onChange) => subscribeDownloads(onChange),
      start: (slug) => void startDownload(titleKey('audio', slug)).catch(explainFailure),
      stop: (slug) => void removeDownload(titleKey('audio', slug)),
    },
    isUser: () => currentSession().status === 'user',
  }
}

/** Waits until this page knows its listener's downloads, so that a downloaded book is found at once. */
export async function portsWhenReady(queryClient: QueryClient): Promise<PlayerPorts> {
  await openedDownloads()?.catch(() => undefined)
  return playerPorts(queryClient)
}

/** Once they are known to the page's player. */
let otherDevices: OtherDevices | undefined

/** The session ended by itself: the device still knows its listener, the server no longer does. */
const sessionEnded = () => currentSession().status === 'ended'

/** Heard sound becomes places; a book that was heard to its end counts as finished until it is heard again. */
export function followEngine(engine: Engine, queryClient: QueryClient): void {
  const recording = recordPlayer(engine)
  void import('#features/listening/follow-other-devices.ts')
    .then(({ followOtherDevices }) => followOtherDevices(engine, queryClient, recording))
    .then(
      (devices) => (otherDevices = devices),
      // Offline and not stored, or a device that keeps nothing: the player plays on by itself.
    )
    .catch(() => undefined)
  engine.on('play', ({ title }) => {
    if (title.kind === 'book') markHeard(title.slug).catch(onFullDevice)
  })
  engine.on('ended', ({ title }) => {
    if (title.kind === 'book') markFinished(title.slug).catch(onFullDevice)
  })
}

/** A place that a full device could not note is noted the next time; the sound goes on. */
const onFullDevice = () => undefined

const views = new WeakMap<object, DownloadView>()

/** The download in the player's words: one object as long as nothing changed. */
function downloadView(slug: string): DownloadView {
  const download = readDownload(titleKey('audio', slug))
  const known = views.get(download)
  if (known) return known
  const running = download.state === 'waiting' || download.state === 'downloading'
  const view: DownloadView = {
    state: running
      ? 'running'
      : download.state === 'done' || download.state === 'failed'
        ? download.state
        : 'none',
    share: download.share,
    stored: download.stored,
    coming: download.coming,
    asksFirst: isMuch(download),
  }
  views.set(download, view)
  return view
}

const forOwner = <T>(work: (owner: string) => Promise<T>): Promise<T | undefined> => {
  const owner = currentOwner()
  return owner ? work(owner) : Promise.resolve(undefined)
}

/** Kept on the device; then it is on its way. */
const sent = async (work: (owner: string) => Promise<unknown>): Promise<void> => {
  await forOwner(work)
  void openedListening()?.then(
    (listening) => listening.sendNow(),
    () => undefined,
  )
}

async function earlierNotes(owner: string, id: string): Promise<readonly EarlierNote[]> {
  try {
    const answer = await call('GET /api/user_bookmarks/{id}/history', {
      params: { id },
      background: true,
      as: owner,
    })
    return answer['hydra:member']
  } catch (problem) {
    // It waits to be sent: the shop does not know it yet.
    if (problem instanceof NetProblem && problem.status === 404) return []
    throw problem
  }
}

const watched = <T>(read: (db: PlacesDb) => Promise<T>, onValue: (value: T) => void): (() => void) => {
  const owner = currentOwner()
  return owner ? watchPlaces(owner, read, onValue) : () => undefined
}

function found(book: Book | null): Book {
  if (!book) throw new NetProblem('refused', 404)
  return book
}
