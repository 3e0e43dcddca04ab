import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { type LibraryView, type Shown, SORTS, type Sort, SHOWN } from '#features/library/view.ts'
import type { OwnShelf } from '#features/queue/use-lists.ts'
import { plural } from '#format/plural.ts'
import { RemovableChip } from '#ui/Chip.tsx'
import styles from './library.module.css'
import { ArrowsDownUpIcon } from '@phosphor-icons/react/dist/csr/ArrowsDownUp'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { Icon } from '#ui/Icon.tsx'
import type { ReactNode } from 'react'
import { Chip } from '#ui/Chip.tsx'

interface LibraryFindProps extends Pick<LibraryView, 'sort' | 'series'> {
  typed: string
  setTyped: (typed: string) => void
  /** Undefined while one of the user's shelves is shown. */
  show: Shown | undefined
  shelves: readonly OwnShelf[]
  shelf: OwnShelf | undefined
  all: readonly ShelfEntry[]
  /** The number of search results; undefined without a search. */
  found: number | undefined
  go: (change: Partial<LibraryView>) => void
}

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
        <div className={styles.chips}>
          <RemovableChip label={seriesName ?? 'Series'} onClick={() => go({ series: undefined })} />
        </div>
      )}
      <p className="visually-hidden" role="status">
        {found === undefined ? '' : found === 0 ? 'Nothing found' : `${plural(found, 'title')} found`}
      </p>
    </div>
  )
}

interface LibraryToolsProps {
  typed: string
  onType: (typed: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
}

function LibraryTools({ typed, onType, sort, onSort }: LibraryToolsProps) {
  return (
    <div className={styles.tools} role="search">
      {/* An icon, until it is used. */}
      <label className={styles.field} title="Search your library">
        <Icon of={MagnifyingGlassIcon} />
        <input
          type="search"
          aria-label="Search your library"
          placeholder="Search your library"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          className={styles.input}
        />
      </label>
      <span className={styles.sort} title={`Sorted by: ${SORTS[sort]}`}>
        <Icon of={ArrowsDownUpIcon} />
        <select
          aria-label="Sort by"
          value={sort}
          onChange={(event) => onSort(keyOf(event.target.value))}
          className={styles.select}
        >
          {Object.entries(SORTS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the options above
const keyOf = (value: string) => value as Sort

const ORDER: readonly Shown[] = ['all', 'begun', 'downloaded', 'audiobooks', 'ebooks', 'unheard', 'finished']

interface ShelfChipsProps {
  chosen: Shown | undefined
  onChoose: (shown: Shown) => void
  children?: ReactNode
}

function ShelfChips({ chosen, onChoose, children }: ShelfChipsProps) {
  return (
    <div className={styles.chips} role="group" aria-label="Show">
      {ORDER.map((shown) => (
        <Chip key={shown} pressed={shown === chosen} onClick={() => onChoose(shown)}>
          {SHOWN[shown]}
        </Chip>
      ))}
      {children}
    </div>
  )
}

interface ShelfChoiceProps {
  shelves: readonly OwnShelf[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}

/** A second press on a chip shows all titles again. */
const OwnShelfChips = ({ shelves, chosen, onChoose }: ShelfChoiceProps) =>
  shelves.map(({ id, name }) => (
    <Chip key={id} pressed={id === chosen} onClick={() => onChoose(id === chosen ? undefined : id)}>
      {name}
    </Chip>
  ))
