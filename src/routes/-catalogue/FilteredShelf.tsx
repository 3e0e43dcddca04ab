import { startTransition, Suspense, useState, type ReactNode } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { DESKTOP_WIDTH } from '#contract/limits.ts'
import { isNarrowed, type BookFilter } from '#features/catalogue/filter.ts'
import { useFilterOptions } from '#features/catalogue/filter-options.ts'
import { FilterBar } from '#features/catalogue/FilterBar.tsx'
import type { BookKind } from '#features/catalogue/model.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './ListingScreen.module.css'

const FilterGroups = lazyPart(() => import('#features/catalogue/FilterGroups.tsx'), 'FilterGroups')
const FilterSheet = lazyPart(() => import('./FilterSheet.tsx'), 'FilterSheet')

interface FilteredShelfProps {
  kind: BookKind
  filter: BookFilter
  onChange: (next: BookFilter) => void
  /** The label of the button that takes all filters away, where it says something else. */
  clear?: string
  /** Their number, for the sheet that hides them. */
  total: number
  /** @param narrow whether the filters stand beside it */
  children: (narrow: boolean) => ReactNode
}

/** Books with their filters: beside them on a desktop, in a sheet over them on a phone. */
export function FilteredShelf({ kind, filter, onChange, clear, total, children }: FilteredShelfProps) {
  const [panel, setPanel] = useState(false)
  const [sheet, setSheet] = useState(false)
  const options = useFilterOptions(kind, panel || sheet || isNarrowed(filter))
  const groups = { kind, filter, options, onChange }
  const toggle = () => {
    if (window.innerWidth < DESKTOP_WIDTH) setSheet(true)
    // The shelf beside it has to be laid out again; a slow computer responds to the press first.
    else startTransition(() => setPanel((open) => !open))
  }
  return (
    <>
      <FilterBar {...groups} {...(clear === undefined ? {} : { clear })} open={panel} onToggle={toggle} />
      <div className={styles.shelf} data-panel={panel ? '' : undefined}>
        {panel && (
          <aside aria-label="Filters" className={styles.panel}>
            <h2>
              <VisuallyHidden>Filters</VisuallyHidden>
            </h2>
            <Suspense>
              <FilterGroups {...groups} />
            </Suspense>
          </aside>
        )}
        <div>{children(panel)}</div>
      </div>
      {sheet && (
        <Suspense>
          <FilterSheet {...groups} total={total} open={sheet} onOpenChange={setSheet} />
        </Suspense>
      )}
    </>
  )
}
