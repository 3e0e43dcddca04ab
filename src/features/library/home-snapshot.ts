import { localStore } from '#storage/page-storage.ts'
import type { DeviceKey } from '#session/log-out.ts'
import type { TitleKey } from '#storage/title-key.ts'

const KEY = 'homeSnapshot' satisfies DeviceKey

/** What index.html shows of the home page until the app's code has run. */
interface HomeSnapshot {
  /** Its classes belong to one release. */
  readonly release: string
  /** The keys of the started titles, separated by spaces: with other ones the markup is wrong. */
  readonly keys: string
  readonly html: string
}

/**
 * Stores the markup of the title in progress. index.html shows it at the next start, with the progress of that time
 * from local storage, so it takes what can change from elements with `data-started`.
 */
export function storeHomeSnapshot(band: HTMLElement, titles: readonly { readonly key: TitleKey }[]): void {
  const snapshot: HomeSnapshot = { release: currentRelease(), keys: keysOf(titles), html: band.outerHTML }
  const text = JSON.stringify(snapshot)
  if (text !== localStore.getItem(KEY)) localStore.setItem(KEY, text)
}

export const forgetHomeSnapshot = (): void => localStore.removeItem(KEY)

const keysOf = (titles: readonly { readonly key: TitleKey }[]): string =>
  titles.map(({ key }) => key).join(' ')

/** The addresses of the first scripts: their hashes depend on every other file. */
const currentRelease = (): string => Array.from(document.scripts, ({ src }) => src).join('')
