import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { RemovableChip } from '#ui/Chip.tsx'
import { CHOICES, cleared, isNarrowed, lengthWords, toggled, withLength, type BookFilter } from './filter.ts'
import type { useFilterOptions } from './filter-options.ts'
import styles from './filters.module.css'
import type { BookKind } from './model.ts'

interface FilterBarProps {
  kind: BookKind
  filter: BookFilter
  options: ReturnType<typeof useFilterOptions>
  /** The panel shows or not; on phones the button always opens the sheet. */
  open: boolean
  /** The label of the button that clears every filter. */
  clear?: string
  onToggle: () => void
  onChange: (filter: BookFilter) => void
}

/** The toggle of the filters and a chip for each one that is active. */
export function FilterBar({
  kind,
  filter,
  options,
  open,
  clear = 'Clear all',
  onToggle,
  onChange,
}: FilterBarProps) {
  const chips = CHOICES.flatMap((choice) =>
    filter[choice].flatMap((id) => {
      const label = options[choice]?.find((option) => option.id === id)?.label
      return label ? [{ key: `${choice} ${id}`, label, without: toggled(filter, choice, id) }] : []
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
        <RemovableChip key={key} label={label} onClick={() => onChange(without)} />
      ))}
      {filter.length !== undefined && (
        <RemovableChip
          label={lengthWords(filter.length, kind)}
          onClick={() => onChange(withLength(filter, filter.length!))}
        />
      )}
      {isNarrowed(filter) && (
        <Button
          look="text"
          className={buttonClass({ look: 'text' }, styles.clear)}
          onClick={() => onChange(cleared(filter))}
        >
          {clear}
        </Button>
      )}
    </div>
  )
}
