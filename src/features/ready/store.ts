import { create } from 'zustand'
import { belongsToPerson } from '#session/person.ts'
import { USUAL_WISH, type ReadyWish } from '#storage/ready-plan.ts'
import type { ReadyPhase } from './model.ts'

interface ReadyStore {
  /** Whose it is; undefined until their wish was read. */
  readonly owner: string | undefined
  readonly wish: ReadyWish
  readonly phase: ReadyPhase
}

/** What the row shows; written by `keep-ready.ts` alone. */
export const useReady = create<ReadyStore>()(() => ({ owner: undefined, wish: USUAL_WISH, phase: 'off' }))

/** What somebody will hear next is nobody else's business. */
belongsToPerson('ready', { close: () => useReady.setState(useReady.getInitialState(), true) })
