import { useListeningStore } from './store.ts'

/** The listener wants to be asked another time: when the app is opened again. */
export const putOffQuestion = (slug: string): void =>
  useListeningStore.setState(({ putOff }) => ({ putOff: new Set(putOff).add(slug) }))
