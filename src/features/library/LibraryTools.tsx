import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { Icon } from '#ui/Icon.tsx'
import styles from './LibraryTools.module.css'
import { SORTS, type Sort } from './view.ts'

interface LibraryToolsProps {
  typed: string
  onType: (typed: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
}

/** What one looks for, and the order of what is found. */
export function LibraryTools({ typed, onType, sort, onSort }: LibraryToolsProps) {
  return (
    <div className={styles.tools} role="search">
      <label className={styles.field}>
        <Icon of={MagnifyingGlassIcon} size={20} />
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
      <span className={styles.sort}>
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
        <Icon of={CaretDownIcon} size={16} />
      </span>
    </div>
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the options above
const keyOf = (value: string) => value as Sort
