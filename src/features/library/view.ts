import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { settingStorage } from '#session/device-setting.ts'
import type { DeviceKey } from '#session/log-out.ts'

export const SORTS = {
  added: 'Newest',
  heard: 'Last played',
  title: 'Title',
  author: 'Author',
  series: 'Series',
  length: 'Length',
  left: 'Time left',
} as const
export type Sort = keyof typeof SORTS

export const SHOWN = {
  downloaded: 'Downloaded',
  all: 'All',
  begun: 'Started',
  unheard: 'Not started',
  finished: 'Finished',
  audiobooks: 'Audiobooks',
  ebooks: 'E-books',
} as const
export type Shown = keyof typeof SHOWN

export interface LibraryView {
  readonly q: string
  readonly sort: Sort
  /** Undefined without a choice: all titles, or the downloaded ones while offline. */
  readonly show: Shown | undefined
  /** The slug of an opened series. */
  readonly series: string | undefined
  readonly shelf: string | undefined
}

export type LibrarySearch = { readonly [name in 'q' | 'series' | 'shelf']?: string } & {
  readonly sort?: Sort
  readonly show?: Shown
}

export const searchOf = (search: Readonly<Record<string, unknown>>): LibrarySearch => ({
  ...text('q', search.q),
  ...(isSort(search.sort) ? { sort: search.sort } : {}),
  ...(isShown(search.show) ? { show: search.show } : {}),
  ...text('series', search.series),
  ...text('shelf', search.shelf),
})

/** Missing parts come from this device's last choice. */
export function viewOf(search: LibrarySearch): LibraryView {
  const kept = useLastView.getState()
  const { q = '', series, shelf } = search
  return { q, sort: search.sort ?? kept.sort ?? 'added', show: search.show ?? kept.show, series, shelf }
}

const KEY = 'murmur.library' satisfies DeviceKey

const useLastView = create<Pick<LibrarySearch, 'sort' | 'show'>>()(
  persist(() => ({}), { name: KEY, storage: settingStorage(({ sort, show }) => searchOf({ sort, show })) }),
)

export function rememberView({ sort, show }: Pick<LibraryView, 'sort' | 'show'>): void {
  useLastView.setState(searchOf({ sort, show }), true)
}

const isSort = (value: unknown): value is Sort => typeof value === 'string' && Object.hasOwn(SORTS, value)
const isShown = (value: unknown): value is Shown => typeof value === 'string' && Object.hasOwn(SHOWN, value)

/** The router parses numeric values as numbers. */
const text = <Name extends string>(name: Name, value: unknown) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name widens to string
  (typeof value === 'number' || (typeof value === 'string' && value !== '')
    ? { [name]: String(value).slice(0, 200) }
    : {}) as { [name in Name]?: string }
