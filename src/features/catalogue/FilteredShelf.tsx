import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { type ReactNode, startTransition, Suspense, useMemo, useState } from 'react'
import { DESKTOP_WIDTH } from '#contract/limits.ts'
import { buttonClass, Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { RemovableChip } from '#ui/Chip.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { cx } from '#ui/cx.ts'
import { type Presses, usePresses } from '#ui/next-paint.ts'
import styles from './books.module.css'
import { cleared, isNarrowed, lengthWords, toggled, useFilterOptions, withLength } from './filter-options.ts'
import { type BookFilter, CHOICES } from './filter.ts'
import type { BookKind } from './model.ts'

const FilterGroups = lazyPart(() => import('./FilterGroups.tsx'), 'FilterGroups')
const FilterSheet = lazyPart(() => import('./FilterGroups.tsx'), 'FilterSheet')

interface FilteredShelfProps {
  kind: BookKind
  filter: BookFilter
  onChange: (next: BookFilter) => void
  /** The label of the button that clears every filter. */
  clear?: string
  /** The number of results, for the sheet that covers them. */
  total: number
  /** The top of the page, which contains the bar; without it the bar is above the books. */
  top?: (bar: ReactNode) => ReactNode
  /** @param narrow whether the filter panel is open */
  children: (narrow: boolean) => ReactNode
}

/** Books with their filters: a panel on desktops, a sheet on phones. */
export function FilteredShelf({ kind, filter, onChange, clear, total, top, children }: FilteredShelfProps) {
  const [panel, setPanel] = useState(false)
  const [sheet, setSheet] = useState(false)
  const presses = usePresses(filter, onChange)
  const options = useFilterOptions(kind, panel || sheet || isNarrowed(filter))
  const groups = { kind, filter, options, presses }
  const books = useMemo(() => children(panel), [children, panel])
  const toggle = () => {
    const isPhone = window.innerWidth < DESKTOP_WIDTH
    // A transition, so that a slow device shows the press before it renders all filters.
    startTransition(() => (isPhone ? setSheet(true) : setPanel((open) => !open)))
  }
  const bar = (
    <FilterBar {...groups} {...(clear === undefined ? {} : { clear })} open={panel} onToggle={toggle} />
  )
  return (
    <>
      {top ? top(bar) : bar}
      <div className={cx(!top && styles.shelf, panel && styles.beside)}>
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
        <div>{books}</div>
      </div>
      {sheet && (
        <Suspense>
          <FilterSheet {...groups} total={total} open={sheet} onOpenChange={setSheet} />
        </Suspense>
      )}
    </>
  )
}

interface FilterBarProps {
  kind: BookKind
  filter: BookFilter
  options: ReturnType<typeof useFilterOptions>
  /** Whether the panel is open; on phones the button always opens the sheet. */
  open: boolean
  /** The label of the button that clears every filter. */
  clear?: string
  onToggle: () => void
  presses: Presses<BookFilter>
}

function FilterBar({ kind, filter, options, open, clear = 'Clear all', onToggle, presses }: FilterBarProps) {
  const chips = CHOICES.flatMap((choice) =>
    filter[choice].flatMap((id) => {
      const label = options[choice]?.find((option) => option.id === id)?.label
      return label ? [{ key: `${choice} ${id}`, label, without: toggled(choice, id) }] : []
    }),
  )
  return (
    <div className={styles.bar}>
      <button type="button" className={styles.toggle} aria-expanded={open} onClick={onToggle}>
        <span>
          <Icon of={SlidersHorizontalIcon} size={20} />
          <span className={styles.phone}>Filters</span>
          <span className={styles.desktop}>{open ? 'Hide filters' : 'Show filters'}</span>
        </span>
      </button>
      {chips.map(({ key, label, without }) => (
        <RemovableChip key={key} label={label} onClick={() => presses.press(without)} />
      ))}
      {filter.length !== undefined && (
        <RemovableChip
          label={lengthWords(filter.length, kind)}
          onClick={() => presses.press(withLength(filter.length!))}
        />
      )}
      {isNarrowed(filter) && (
        <Button
          look="text"
          className={buttonClass({ look: 'text' }, styles.clear)}
          onClick={() => presses.press(cleared)}
        >
          {clear}
        </Button>
      )}
    </div>
  )
}
