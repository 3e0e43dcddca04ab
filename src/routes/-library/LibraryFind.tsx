import { LibraryTools } from '#features/library/LibraryTools.tsx'
import { ShelfChips } from '#features/library/ShelfChips.tsx'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { LibraryView, Shown } from '#features/library/view.ts'
import type { OwnShelf } from '#features/queue/use-shelves.ts'
import { plural } from '#format/plural.ts'
import { RemovableChip } from '#ui/Chip.tsx'
import styles from './library.module.css'
import { OwnShelfChips } from './OwnShelves.tsx'

interface LibraryFindProps extends Pick<LibraryView, 'sort' | 'series'> {
  typed: string
  setTyped: (typed: string) => void
  /** Undefined where a shelf of one's own is shown. */
  show: Shown | undefined
  shelves: readonly OwnShelf[]
  shelf: OwnShelf | undefined
  all: readonly ShelfEntry[]
  /** The number of titles that are like what is typed; undefined where nothing is. */
  found: number | undefined
  go: (change: Partial<LibraryView>) => void
}

/** What is looked for, in which order, and of which titles. */
export function LibraryFind({
  typed,
  setTyped,
  sort,
  series,
  show,
  shelves,
  shelf,
  all,
  found,
  go,
}: LibraryFindProps) {
  const seriesName = all.flatMap((item) => item.series).find(({ slug }) => slug === series)?.name
  return (
    <div className={styles.find}>
      <LibraryTools typed={typed} onType={setTyped} sort={sort} onSort={(next) => go({ sort: next })} />
      {series === undefined ? (
        <ShelfChips chosen={show} onChoose={(next) => go({ show: next, shelf: undefined })}>
          <OwnShelfChips shelves={shelves} chosen={shelf?.id} onChoose={(id) => go({ shelf: id })} />
        </ShelfChips>
      ) : (
        <div>
          <RemovableChip label={seriesName ?? 'Series'} onClick={() => go({ series: undefined })} />
        </div>
      )}
      <p className="visually-hidden" role="status">
        {found === undefined ? '' : found === 0 ? 'Nothing found' : `${plural(found, 'title')} found`}
      </p>
    </div>
  )
}
