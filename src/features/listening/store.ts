import { create } from 'zustand'
import type { Receipt, TwoPlaces } from '#storage/places-db.ts'
import type { PlayingElsewhere } from './model.ts'

export interface ListeningState {
  /** Books that moved on this device and on another: the listener chooses. */
  twoPlaces: TwoPlaces[]
  receipt: Receipt | undefined
  /** Number of places not yet on the server. */
  waiting: number
  /** Number of bookmark changes not yet on the server. */
  bookmarksWaiting: number
  /** Number of bookmarks and highlights that the server refused: they exist on this device only. */
  marksRefused: number
  /** The browser refuses to store anything: offer a reload (trap 13). */
  stuck: boolean
  elsewhere?: PlayingElsewhere | undefined
  /** Slugs whose question was postponed until the page is reloaded. */
  putOff?: ReadonlySet<string>
}

/** Written by `listening.ts` and by updates from other devices. */
export const useListeningStore = create<ListeningState>()(() => ({
  twoPlaces: [],
  receipt: undefined,
  waiting: 0,
  bookmarksWaiting: 0,
  marksRefused: 0,
  stuck: false,
}))

export const putOffQuestion = (slug: string): void =>
  useListeningStore.setState(({ putOff }) => ({ putOff: new Set(putOff).add(slug) }))
