import { create } from 'zustand'
import type { Receipt, TwoPlaces } from '#storage/places-db.ts'
import type { PlayingElsewhere } from './other-device-model.ts'

export interface ListeningState {
  /** Books that moved here and elsewhere: the listener is asked. */
  twoPlaces: TwoPlaces[]
  /** The last late saving. */
  receipt: Receipt | undefined
  /** The number of places that wait for the server. */
  waiting: number
  /** The number of changes of bookmarks that do. */
  bookmarksWaiting: number
  /** The number of bookmarks and highlights that the server refused: they exist on this device only. */
  marksRefused: number
  /** The browser refuses to store anything: offer a reload (trap 13). */
  stuck: boolean
  /** The device that took over from this one. */
  elsewhere?: PlayingElsewhere | undefined
  /** Questions put off in this life of the page, by their books. */
  putOff?: ReadonlySet<string>
}

/** The state of listening that screens show; written by `listening.ts`, and by what arrives from elsewhere. */
export const useListeningStore = create<ListeningState>()(() => ({
  twoPlaces: [],
  receipt: undefined,
  waiting: 0,
  bookmarksWaiting: 0,
  marksRefused: 0,
  stuck: false,
}))

/** Puts the question off until the app is opened again. */
export const putOffQuestion = (slug: string): void =>
  useListeningStore.setState(({ putOff }) => ({ putOff: new Set(putOff).add(slug) }))
