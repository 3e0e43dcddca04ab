import type { PlacesDb } from './places-db.ts'
import { formatOfKey, slugOfKey, titleKey, type TitleKey } from './title-key.ts'

/**
 * The e-books whose sentences are found in an audiobook, of titles that the user owns in both formats, by the audiobook's
 * slug. Only those that were opened or downloaded on this device.
 */
export type FormatPairs = Readonly<Record<string, string>>

const NAME = 'formatPairs'

export const formatPairsIn = async (db: PlacesDb): Promise<FormatPairs> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of this device's own writing
  ((await db.settings.get(NAME))?.value ?? {}) as FormatPairs

/** `eBook` is null if the user doesn't own both, or no sentences are known. */
export const writeFormatPair = (db: PlacesDb, audioBook: string, eBook: string | null): Promise<void> =>
  db.transaction('rw', db.settings, async () => {
    const { [audioBook]: before, ...others } = await formatPairsIn(db)
    if ((before ?? null) === eBook) return
    await db.settings.put({ name: NAME, value: eBook === null ? others : { ...others, [audioBook]: eBook } })
  })

/** The same title in the other format. */
export function otherFormatIn(pairs: FormatPairs, key: TitleKey): TitleKey | undefined {
  const slug = slugOfKey(key)
  if (formatOfKey(key) === 'audio')
    return pairs[slug] === undefined ? undefined : titleKey('ebook', pairs[slug])
  const audioBook = Object.keys(pairs).find((each) => pairs[each] === slug)
  return audioBook === undefined ? undefined : titleKey('audio', audioBook)
}

/** Sorted by time, newest first: leaves out the older of two formats, since the newer place is where the user is. */
export function withoutOlderFormats<T extends { readonly key: TitleKey }>(
  titles: readonly T[],
  pairs: FormatPairs,
): readonly T[] {
  const seen = new Set<TitleKey>()
  return titles.filter(({ key }) => {
    seen.add(key)
    const other = otherFormatIn(pairs, key)
    return other === undefined || !seen.has(other)
  })
}
