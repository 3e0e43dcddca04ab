import { useListeningStore } from './store.ts'

/** Puts the question off until the app is opened again. */
export const putOffQuestion = (slug: string): void =>
  useListeningStore.setState(({ putOff }) => ({ putOff: new Set(putOff).add(slug) }))
