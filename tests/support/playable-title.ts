import type { ResumePlace } from '#storage/place.ts'
import type { Chapter, Playable, TitleRef } from '#features/player/model.ts'
import type { Bookmark, EarlierNote, PlayerPorts, Sound } from '#features/player/ports.ts'

const chapter = (number: number, title: string, seconds: number): Chapter => ({
  number,
  title,
  seconds,
  bytes: 1,
})

/** The Salt Ledger, with three short chapters of 60, 30 and 40 s. */
export const aPlayable = (part: Partial<Playable> = {}): Playable => ({
  slug: 'the-salt-ledger',
  kind: 'book',
  title: 'The Salt Ledger',
  author: 'Imogen Tarrant',
  narrator: 'Della Voss',
  cover: {
    avif: { 330: '/cover-330.avif', 600: '/cover-600.avif', 900: '/cover-900.avif' },
    webp: { 330: '/cover-330.webp', 600: '/cover-600.webp', 900: '/cover-900.webp' },
    thumb: { webp: '/cover-thumb.webp' },
    width: 900,
    height: 900,
  },
  coverAlt: 'Cover of The Salt Ledger by Imogen Tarrant',
  colours: { background: '1F3D43', container: '17313A', text: 'F3E4C8' },
  chapters: [
    chapter(1, 'The tide table', 60),
    chapter(2, 'Two sets of books', 30),
    chapter(3, 'The weighing room', 40),
  ],
  download: '/media/zip/the-salt-ledger',
  ...part,
})

/** The player's dependencies in memory: sound is available unless it is `absent`, and stored once prefetched. */
export function fakePorts(part: Partial<PlayerPorts> = {}) {
  let online = true
  let lost: (() => void) | undefined
  const watchers = new Set<() => void>()
  const stored = new Set<number>()
  const speedWatchers = new Map<string, (speed: number) => void>()
  const markWatchers = new Map<string, () => void>()
  const world = {
    absent: new Set<number>(),
    asked: [] as [slug: string, chapter: number, fresh: boolean][],
    prefetched: [] as [slug: string, chapters: readonly number[]][],
    places: new Map<string, ResumePlace>(),
    keptSpeeds: new Map<string, number>(),
    marks: new Map<string, Bookmark>(),
    earlierNotes: new Map<string, EarlierNote[]>(),
    begun: [] as [slug: string, speed: number][],
    chooseElsewhere: (slug: string, speed: number) => speedWatchers.get(slug)?.(speed),
    /** A change by another device or tab. */
    markElsewhere(change: () => void) {
      change()
      markWatchers.forEach((watcher) => watcher())
    },
    warmed: [] as string[],
    loseSound: () => lost?.(),
    goOffline: () => {
      online = false
      watchers.forEach((watcher) => watcher())
    },
    goOnline: () => {
      online = true
      watchers.forEach((watcher) => watcher())
    },
  }
  const ports: PlayerPorts = {
    loadBook: (slug) => Promise.resolve(aPlayable({ slug })),
    loadSample: (slug) =>
      Promise.resolve(
        aPlayable({ slug, kind: 'sample', chapters: [chapter(1, 'Sample', 20)], download: null }),
      ),
    loadRecording: (slug) => Promise.resolve(aPlayable({ slug, kind: 'recording', download: null })),
    soundFor({ slug }: TitleRef, number, { fresh }): Sound | undefined {
      world.asked.push([slug, number, fresh])
      if (world.absent.has(number)) return undefined
      return { url: `/sound/${slug}/${number}`, stored: stored.has(number) }
    },
    warm: ({ url }) => void world.warmed.push(url),
    prefetch(slug, chapters) {
      world.prefetched.push([slug, chapters])
      for (const number of chapters) if (!world.absent.has(number)) stored.add(number)
      return Promise.resolve()
    },
    lastPlace: (slug) => Promise.resolve(world.places.get(slug)),
    claimSound(onLost) {
      lost = onLost
      return () => void (lost = undefined)
    },
    speeds: {
      read: (slug) => Promise.resolve(world.keptSpeeds.get(slug)),
      keep: (slug, speed) => Promise.resolve(void world.keptSpeeds.set(slug, speed)),
      storeBegun: (slug, speed) => Promise.resolve(void world.begun.push([slug, speed])),
      subscribe(slug, onSpeed) {
        speedWatchers.set(slug, onSpeed)
        return () => void speedWatchers.delete(slug)
      },
    },
    bookmarks: {
      list: (slug) => Promise.resolve([...world.marks.values()].filter((mark) => mark.slug === slug)),
      put: (mark) => Promise.resolve(world.marks.set(mark.id, mark)),
      remove: (id) => Promise.resolve(world.marks.delete(id)),
      earlierNotes: async (id) => {
        if (!online) throw new Error('offline')
        return world.earlierNotes.get(id) ?? []
      },
      subscribe(slug, onChange) {
        markWatchers.set(slug, onChange)
        return () => void markWatchers.delete(slug)
      },
    },
    connectivity: {
      isOnline: () => online,
      subscribe(watcher) {
        watchers.add(watcher)
        return () => void watchers.delete(watcher)
      },
    },
    ...part,
  }
  return Object.assign(ports, world)
}
