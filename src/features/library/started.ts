import { useMemo } from 'react'
import { create } from 'zustand'
import { localStore } from '#storage/page-storage.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { OwnBook } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { writeValue } from '#storage/values.ts'
import type { DeviceKey } from '#session/log-out.ts'
import { currentOwner, sessionKnown, useSession } from '#session/store.ts'

/** A title that was begun and isn't finished. */
export interface StartedTitle {
  readonly key: TitleKey
  readonly book: OwnBook
  /** 0 to 1. */
  readonly share: number
  /** "6 h 01 m left", "About 120 pages left". */
  readonly left: string
  /** "4. The weighing room"; empty for an e-book. */
  readonly chapter: string
  /** Undefined for an e-book. */
  readonly place: ChapterSeconds | undefined
  /** The same title in its other format, which opens at the same sentence. */
  readonly other?: TitleKey | undefined
}

interface Kept {
  readonly owner: string | undefined
  readonly titles: readonly StartedTitle[]
}

const KEY = 'murmur.started' satisfies DeviceKey
const NONE: readonly StartedTitle[] = []
const useKept = create<Kept>()(() => ({ owner: undefined, titles: NONE }))

/**
 * What this device's user has started, last heard first. A copy in local storage, so that the first rendering has it
 * before any database is open; `follow-started.ts` keeps it up to date.
 */
export function useStarted(): readonly StartedTitle[] {
  const owner = useSession((state) => (state.ready ? state.owner?.uuid : undefined))
  const kept = useKept()
  return useMemo(
    () => (owner === undefined ? NONE : kept.owner === owner ? kept.titles : read(owner)),
    [owner, kept],
  )
}

/** Whether the home page opens on what its user has started. */
export async function hasStarted(): Promise<boolean> {
  await sessionKnown()
  const owner = currentOwner()
  return owner !== undefined && read(owner).length > 0
}

export function keepStarted(owner: string, titles: readonly StartedTitle[]): void {
  const text = titles.length > 0 ? JSON.stringify({ owner, titles } satisfies Kept) : null
  if (text === localStore.getItem(KEY) && useKept.getState().owner === owner) return
  if (text) localStore.setItem(KEY, text)
  else localStore.removeItem(KEY)
  useKept.setState({ owner, titles })
  tellWorker(titles.length > 0 ? owner : null)
}

export function forgetStarted(): void {
  localStore.removeItem(KEY)
  useKept.setState({ owner: undefined, titles: NONE })
  tellWorker(null)
}

let told: string | null | undefined
/** The worker can't read local storage. */
function tellWorker(owner: string | null): void {
  if (told === owner) return
  told = owner
  void writeValue('started', owner).catch(() => undefined)
}

function read(owner: string): readonly StartedTitle[] {
  try {
    const kept: Kept | null = JSON.parse(localStore.getItem(KEY) ?? 'null')
    return kept?.owner === owner ? kept.titles : NONE
  } catch {
    return NONE
  }
}
