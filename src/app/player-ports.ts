import type { QueryClient } from '@tanstack/react-query'
import { claimSound } from '#features/listening/claim-sound.ts'
import { takeOverFromOtherDevices } from '#features/listening/follow-player.ts'
import { openedListening } from '#features/listening/lazy.ts'
import {
  type PlayerPorts,
  type BookmarkStore,
  type SpeedStore,
  NoSound,
  type Sound,
  type EarlierNote,
  type NextPort,
} from '#features/player/ports.ts'
import {
  openedDownloads,
  prefetchChapters,
  isStoredWhole,
  renewDownload,
  storedTitle,
} from '#features/downloads/lazy.ts'
import { wakeWorker, storedSound } from '#features/downloads/sound-address.ts'
import { connectivity } from '#net/connectivity.ts'
import type { Book } from '#contract/catalogue.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { within } from '#storage/wait.ts'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { readDownload, useDownloadsStore } from '#features/downloads/store.ts'
import { EDITORIAL_KINDS } from '#features/editorial/model.ts'
import { itemQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { type Chapter, chapterAt, type Playable } from '#features/player/model.ts'
import { playableBook, playableRecording, playableSample, playableStored } from '#features/player/playable.ts'
import { bookmarksOf, listBookmarks, putBookmark, removeBookmark } from '#sync/marks.ts'
import type { PlacesDb } from '#storage/places-db.ts'
import { watchPlaces } from '#storage/places.ts'
import { chooseSpeed, speedOf, storeBegunSpeed } from '#sync/speeds.ts'
import { call } from '#net/call.ts'
import { ownItem } from '#features/library/shelf-entry.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import { playerSettings } from '#features/player/settings.ts'
import { toast } from '#ui/toast.ts'
import { takeOut } from '#features/queue/actions.ts'
import { leftOutAfter, readLeftOut, readQueue } from '#features/queue/use-lists.ts'
import { whatNext } from '#features/queue/what-next.ts'

/**
 * The player's ports. Waits until the listener's downloads are open, so that a
 * downloaded book is found at once.
 */
export async function playerPorts(queryClient: QueryClient): Promise<PlayerPorts> {
  await openedDownloads()?.catch(() => undefined)
  return {
    ...titlesAndSound(queryClient),
    prefetch: prefetchChapters,
    warm: ({ url }) => wakeWorker(url),
    lastPlace: async (slug) => {
      const [heard, read] = await Promise.all([
        openedListening()?.then((listening) => listening.lastPlace(slug)),
        within(IN_STEP_MS, placeRead(queryClient, slug)).catch(() => undefined),
      ])
      return read ? { ...read, fromSeconds: read.seconds } : heard
    },
    claimSound,
    takeOver: takeOverFromOtherDevices,
    speeds,
    bookmarks,
    silences: silencesOf,
    creditsEnd: creditsEndOf,
    next: nextTitle(queryClient),
    connectivity: {
      isOnline: () => connectivity.snapshot() !== 'offline',
      subscribe: (onChange) => connectivity.subscribe(onChange),
    },
  }
}

type Titles = Pick<PlayerPorts, 'loadBook' | 'loadSample' | 'loadRecording' | 'soundFor'>

/** Titles and their audio, from this device if stored, otherwise from the server. */
function titlesAndSound(queryClient: QueryClient): Titles {
  const ownBook = (slug: string, fresh = false) => {
    // In the background, so that an ended session doesn't redirect a listener whose book is stored.
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

  /** `address` is `interviews/{slug}`. */
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

  /** The player's list of chapters may be older than the server's: the owner may have moved the chapter since. */
  const streamed = (book: Book | null | undefined, chapter: WantedChapter): Sound | undefined => {
    const files = book?.audioFiles ?? []
    const file =
      files.find(({ sha256 }) => sha256 === chapter.sound) ??
      files.find(({ chapterTitle }) => chapterTitle === chapter.title) ??
      files.find(({ chapterOrderNumber }) => chapterOrderNumber === chapter.number)
    return file && { url: file.url, stored: false }
  }

  /** Stored addresses given to the player. A second request for one means that it did not play. */
  const given = new Set<string>()

  const bookSound = (slug: string, chapter: WantedChapter, fresh: boolean) => {
    const owner = currentOwner()
    const stored = owner ? storedSound(owner, slug, chapter.number, chapter.sound) : undefined
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
    /**
     * Skip a stored file once (trap 11); if the network has none either and the file is complete, try it
     * again.
     */
    const instead = async (url: string) => {
      const isWhole = await isStoredWhole(slug, chapter.number, chapter.sound)
      return (await fromNetwork()) ?? (isWhole ? fromDevice(url) : undefined)
    }
    const known = (url: string | undefined) => {
      if (url) return fresh && given.delete(url) ? instead(url) : fromDevice(url)
      // Listed as stored, but unreadable.
      if (stored) void isStoredWhole(slug, chapter.number, chapter.sound)
      return fromNetwork()
    }
    return stored instanceof Promise ? stored.then(known) : known(stored)
  }

  return {
    async loadBook(slug) {
      const stored = await storedTitle(slug)
      if (stored && (sessionEnded() || connectivity.snapshot() === 'offline')) return playableStored(stored)
      // The server would answer as for a visitor, without audio.
      if (sessionEnded()) throw new NetProblem('refused', 401)
      const download = readDownload(titleKey('audio', slug))
      try {
        const asked = ownBook(slug)
        // The owner may have changed the chapters since they were stored. Also if the answer comes late.
        const renewed = asked.then(
          (book) => (stored && book ? renewDownload(book) : undefined),
          () => undefined,
        )
        // The stored chapters play without the server, so wait only briefly for its answer.
        const isPartlyHere = download.stored.size > 0
        const answer = await (stored && isPartlyHere ? answeredSoon(asked) : asked)
        if (stored && answer === undefined) return playableStored(stored)
        const book = found(answer ?? null)
        if (book.audioFiles.length === 0) throw new NoSound(slug)
        await renewed
        return playableBook(book)
      } catch (problem) {
        // The stored part plays without the network, and also if this request ended the session.
        const isPlayed =
          download.state === 'done' ||
          (problem instanceof NetProblem && (problem.unreachable || problem.status === 401))
        if (stored && isPlayed) return playableStored(stored)
        throw problem
      }
    },
    loadSample: async (slug) => {
      const book = found(await anyBook(slug))
      if (book.entityType !== 'audioBook') throw new NetProblem('refused', 404)
      return playableSample(book)
    },
    loadRecording: async (slug) => playableRecording(await recording(slug)),
    soundFor({ slug, kind, chapters = [] }, number, { fresh }) {
      if (kind === 'sample') return sampleSound(slug)
      if (kind === 'recording') return recordingSound(slug, fresh)
      return bookSound(slug, chapterAt(chapters, number) ?? { number }, fresh)
    },
  }
}

type WantedChapter = Pick<Chapter, 'number'> & Partial<Pick<Chapter, 'title' | 'sound'>>

/** How long playing waits to learn where the listener has read since. */
const IN_STEP_MS = 1_500

/** The place in the audiobook at which the listener stopped reading the e-book, if that was later. */
async function placeRead(queryClient: QueryClient, slug: string): Promise<ChapterSeconds | undefined> {
  const owner = currentOwner()
  if (!owner) return undefined
  const query = ownBookQuery('audio_books', slug, owner, { background: true })
  const book =
    (await storedTitle(slug))?.page ?? (sessionEnded() ? null : await queryClient.fetchQuery(query))
  if (!book?.eBook) return undefined
  const { placeFromReading } = await import('#features/in-step/switch.ts')
  return placeFromReading(owner, slug, book.eBook.slug)
}

/** From this device with a download, otherwise from the server. */
async function silencesOf({ slug, chapters }: Playable): ReturnType<NonNullable<PlayerPorts['silences']>> {
  const owner = currentOwner()
  if (!owner) return undefined
  const { inStepOf, ofSound } = await import('#features/in-step/in-step.ts')
  const inStep = await inStepOf(owner, slug)
  return (
    inStep && new Map(ofSound(inStep, chapters).chapters.map(({ number, silences }) => [number, silences]))
  )
}

async function creditsEndOf({ slug, chapters }: Playable): Promise<number | undefined> {
  const owner = currentOwner()
  if (!owner) return undefined
  const { creditsEnd, inStepOf, ofSound } = await import('#features/in-step/in-step.ts')
  const inStep = await inStepOf(owner, slug)
  return inStep && creditsEnd(ofSound(inStep, chapters), chapters[0]?.number)
}

/** How long to wait for the server before opening the stored copy (trap 22). */
const OWN_COPY_MS = 300

/** Undefined if the answer takes longer; it is still cached for the next call. */
function answeredSoon<T>(asked: Promise<T>): Promise<T | undefined> {
  asked.catch(() => undefined)
  return within(OWN_COPY_MS, asked)
}

/** The session expired: the device still knows its listener, the server no longer does. */
const sessionEnded = () => currentSession().status === 'ended'

function found(book: Book | null): Book {
  if (!book) throw new NetProblem('refused', 404)
  return book
}

const speeds: SpeedStore = {
  read: (slug) => forOwner((owner) => speedOf(owner, slug)),
  keep: (slug, speed) => storedAndSent((owner) => chooseSpeed(owner, slug, speed)),
  storeBegun: (slug, speed) => forOwner((owner) => storeBegunSpeed(owner, slug, speed)),
  subscribe: (slug, onSpeed) =>
    watched(
      (db) => db.speeds.get(slug),
      (chosen) => chosen && onSpeed(chosen.speed),
    ),
}

const bookmarks: BookmarkStore = {
  list: async (slug) => (await forOwner((owner) => listBookmarks(owner, slug))) ?? [],
  put: (bookmark) => storedAndSent((owner) => putBookmark(owner, bookmark)),
  remove: (id) => storedAndSent((owner) => removeBookmark(owner, id)),
  earlierNotes: async (id) => (await forOwner((owner) => earlierNotes(owner, id))) ?? [],
  subscribe: (slug, onChange) => watched((db) => bookmarksOf(db, slug), onChange),
}

async function storedAndSent(work: (owner: string) => Promise<unknown>): Promise<void> {
  await forOwner(work)
  void openedListening()?.then(
    (listening) => listening.sendNow(),
    () => undefined,
  )
}

const forOwner = <T>(work: (owner: string) => Promise<T>): Promise<T | undefined> => {
  const owner = currentOwner()
  return owner ? work(owner) : Promise.resolve(undefined)
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
    // Not sent yet, so the server does not know it.
    if (problem instanceof NetProblem && problem.status === 404) return []
    throw problem
  }
}

const watched = <T>(read: (db: PlacesDb) => Promise<T>, onValue: (value: T) => void): (() => void) => {
  const owner = currentOwner()
  return owner ? watchPlaces(owner, read, onValue) : () => undefined
}

/** The title after a book, from stored data, without a request. */
const nextTitle = (queryClient: QueryClient): NextPort => ({
  async after(slug) {
    const owner = currentOwner()
    if (!owner) return undefined
    const after = titleKey('audio', slug)
    const [{ titles }, { placesDb }] = await Promise.all([
      queryClient.fetchQuery(ownTitlesQuery(owner)),
      import('#storage/places-db.ts'),
    ])
    const read = <T>(work: (db: PlacesDb) => Promise<T>) => placesDb.use(owner, work)
    const places = new Map((await read((db) => db.places.toArray())).map((place) => [place.slug, place]))
    const known = {
      places,
      readings: new Map<string, never>(),
      downloads: useDownloadsStore.getState().byTitle,
    }
    const next = whatNext(after, {
      owned: new Map(titles.map((title) => [title.key, ownItem(title, known)])),
      opens: opensNow,
      atEnd: playerSettings().atEnd,
      queue: await read(readQueue),
      leftOut: leftOutAfter(await read(readLeftOut), after),
    })
    return next && { slug: next.entry.slug, title: next.entry.title, why: next.why }
  },
  begun: ({ slug }) => void takeOut(titleKey('audio', slug)),
  failed: ({ title }) => void toast(`${title} didn’t start.`),
})

/** It is on this device, or the server can be reached with a valid session. */
const opensNow = (key: TitleKey): boolean =>
  readDownload(key).state === 'done' ||
  (connectivity.snapshot() !== 'offline' && currentSession().status === 'user')
