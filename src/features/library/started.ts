import { useMemo, useState } from 'react'
import { create } from 'zustand'
import { localStore } from '#storage/page-storage.ts'
import type { ResumePlace } from '#storage/place.ts'
import type { OwnBook } from '#storage/places-db.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { writeValue } from '#storage/values.ts'
import type { DeviceKey } from '#session/log-out.ts'
import { forgetHomeSnapshot } from './home-snapshot.ts'
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
  readonly place: ResumePlace | undefined
  /** The same title in its other format, which opens at the same sentence. */
  readonly other?: TitleKey | undefined
}

interface Kept {
  readonly owner: string | undefined
  readonly titles: readonly StartedTitle[]
  /** The account's titles and places have been fetched once: what is not listed was not started. */
  readonly isComplete: boolean
}

/** Without the shop's name, which index.html doesn't know. */
const KEY = 'started' satisfies DeviceKey
/** Of releases before December 2026. */
const EARLIER_KEY = 'murmur.started'
const NONE: readonly StartedTitle[] = []
const NOTHING_KEPT: Kept = { owner: undefined, titles: NONE, isComplete: false }
const useKept = create<Kept>()(() => NOTHING_KEPT)

/**
 * What this device's user has started, last heard first. A copy in local storage, so that the first rendering has it
 * before any database is open; `follow-started.ts` keeps it up to date.
 */
export const useStarted = (): readonly StartedTitle[] => useKeptOfOwner().titles

function useKeptOfOwner(): Kept {
  const owner = useSession((state) => (state.ready ? state.owner?.uuid : undefined))
  const kept = useKept()
  return useMemo(
    () => (owner === undefined ? NOTHING_KEPT : kept.owner === owner ? kept : read(owner)),
    [owner, kept],
  )
}

/**
 * After a log-in on a device that doesn't know yet what its user has started: a function that stops the wait. A page
 * that the server rendered is shown already, so it doesn't wait.
 */
export function useAwaitedStarted(): (() => void) | undefined {
  const { isComplete } = useKeptOfOwner()
  // While React hydrates, this is the session of a visitor, whose page the server rendered.
  const isUser = useSession(({ status, owner }) => status === 'user' && owner !== null)
  const [isAwaited, setAwaited] = useState(isUser && !isComplete)
  return isAwaited && !isComplete ? () => setAwaited(false) : undefined
}

/** Whether the home page opens on what its user has started. */
export async function hasStarted(): Promise<boolean> {
  await sessionKnown()
  const owner = currentOwner()
  return owner !== undefined && read(owner).titles.length > 0
}

export function keepStarted(owner: string, titles: readonly StartedTitle[], isComplete: boolean): void {
  const kept: Kept = { owner, titles, isComplete }
  const text = titles.length > 0 || isComplete ? JSON.stringify(kept) : null
  if (text === localStore.getItem(KEY) && useKept.getState().owner === owner) return
  if (text) localStore.setItem(KEY, text)
  else localStore.removeItem(KEY)
  localStore.removeItem(EARLIER_KEY)
  useKept.setState(kept)
  tellWorker(titles.length > 0 ? owner : null)
}

export function forgetStarted(): void {
  for (const key of [KEY, EARLIER_KEY]) localStore.removeItem(key)
  forgetHomeSnapshot()
  useKept.setState(NOTHING_KEPT)
  tellWorker(null)
}

let told: string | null | undefined
/** The worker can't read local storage. */
function tellWorker(owner: string | null): void {
  if (told === owner) return
  told = owner
  void writeValue('started', owner).catch(() => undefined)
}

function read(owner: string): Kept {
  try {
    const kept: Kept | null = JSON.parse(localStore.getItem(KEY) ?? localStore.getItem(EARLIER_KEY) ?? 'null')
    return kept?.owner === owner ? kept : NOTHING_KEPT
  } catch {
    return NOTHING_KEPT
  }
}
