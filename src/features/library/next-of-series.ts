import type { TitleKey } from '#storage/title-key.ts'
import { placeOf } from '#features/catalogue/model.ts'
import type { ShelfEntry } from './shelf-entry.ts'

/** The listener's next one that was not heard yet. A book that is missing in between is not skipped. */
export function nextOfSeries(
  after: TitleKey,
  owned: ReadonlyMap<TitleKey, ShelfEntry>,
): { entry: ShelfEntry; why: string } | undefined {
  for (const { slug, place: from } of owned.get(after)?.series ?? []) {
    let place = from
    for (const { entry, at } of inOrder(slug, owned)) {
      if (at.place <= place) continue
      if (Math.floor(at.place) - Math.floor(place) > 1) break
      if (!entry.finished) return { entry, why: placeOf({ series: [at] }) }
      place = at.place
    }
  }
  return undefined
}

const inOrder = (slug: string, owned: ReadonlyMap<TitleKey, ShelfEntry>) =>
  [...owned.values()]
    .filter(({ format }) => format === 'audioBook')
    .flatMap((entry) => entry.series.filter((at) => at.slug === slug).map((at) => ({ entry, at })))
    // Without a number nobody knows what it comes after.
    .filter(({ at }) => Number.isFinite(at.place))
    .sort((one, other) => one.at.place - other.at.place)
