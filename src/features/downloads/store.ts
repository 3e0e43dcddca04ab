import { useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { TitleKey } from '#storage/title-key.ts'
import { noDownload, type Download } from './model.ts'

interface DownloadsState {
  /** False until the device's data was read; the server's markup contains no downloads. */
  ready: boolean
  byTitle: ReadonlyMap<TitleKey, Download>
  /** Titles that lost data to the browser's clean-up, until they are complete again. */
  lost: readonly TitleKey[]
}

/** A copy of the device's titles for the screens. Only `downloads.ts` writes it. */
export const useDownloadsStore = create<DownloadsState>()(() => ({
  ready: false,
  byTitle: new Map(),
  lost: [],
}))

const nothing = new Map<TitleKey, Download>()

export const readDownload = (key: TitleKey): Download =>
  useDownloadsStore.getState().byTitle.get(key) ?? noneOf(key)

export function subscribeDownloads(onChange: () => void): () => void {
  return useDownloadsStore.subscribe(onChange)
}

export const useDownload = (key: TitleKey): Download =>
  useSyncExternalStore(
    subscribeDownloads,
    () => readDownload(key),
    () => noneOf(key),
  )

function noneOf(key: TitleKey): Download {
  const none = nothing.get(key) ?? noDownload(key)
  nothing.set(key, none)
  return none
}

/** Applies the new state but reuses unchanged objects, so that screens don't re-render needlessly. */
export function showDownloads(next: ReadonlyMap<TitleKey, Download>): void {
  const { byTitle } = useDownloadsStore.getState()
  const merged = new Map<TitleKey, Download>()
  for (const [key, download] of next) {
    const before = byTitle.get(key)
    merged.set(key, before && same(before, download) ? before : download)
  }
  useDownloadsStore.setState({ ready: true, byTitle: merged })
}

/** The device's data can't be read: don't make the screens wait. */
export const showNoDownloads = (): void => useDownloadsStore.setState({ ready: true })

export const forgetDownloads = (): void =>
  useDownloadsStore.setState({ ready: false, byTitle: new Map(), lost: [] })

function same(one: Download, other: Download): boolean {
  return (
    one.state === other.state &&
    one.share === other.share &&
    one.bytes === other.bytes &&
    one.totalBytes === other.totalBytes &&
    one.failure === other.failure &&
    one.coming === other.coming &&
    one.stored.size === other.stored.size &&
    [...one.stored].every(([chapter, sound]) => other.stored.get(chapter) === sound)
  )
}
