import { SortAscendingIcon } from '@phosphor-icons/react/dist/csr/SortAscending'
import { KeywordForm } from '#features/search/KeywordForm.tsx'
import type { Sort } from '#features/search/model.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { LinkButton } from '#ui/Button.tsx'
import styles from './search.module.css'

interface FoundTopProps {
  title: string
  keyword: string
  /** The keyword of the results on screen, which lags behind `keyword`. */
  found: string
  sort: Sort
  /** "12 results"; null before a search. */
  count: string | null
  /** Nothing was found: the field stands alone. */
  isEmpty: boolean
  meant?: string | null | undefined
  /** The search for the other kind, if the shop has it. */
  other: { label: string; to: '/search-books' | '/search-articles' } | undefined
  onSearch: (keyword: string) => void
  onSort: (sort: Sort) => void
}

export function FoundTop({
  title,
  keyword,
  found,
  sort,
  count,
  isEmpty,
  meant,
  other,
  onSearch,
  onSort,
}: FoundTopProps) {
  return (
    <div className={styles.top}>
      <Display as="h1" size="md" className={styles.name}>
        {title}
      </Display>
      <div className={styles.asked}>
        <KeywordForm label={title} keyword={keyword} onSearch={onSearch} />
        {/* The words below say the same as the number. */}
        <div className={isEmpty ? 'visually-hidden' : styles.line}>
          <p role="status" className={styles.count}>
            {count ?? 'Type at least three letters of a title or a name.'}
            {meant && `. Nothing found for “${found.trim()}”. Here’s what we have for “${meant}”.`}
          </p>
          {!isEmpty && other && (
            <LinkButton look="text" to={other.to} search={keyword ? { keyword } : {}}>
              {other.label}
            </LinkButton>
          )}
          {!isEmpty && count !== null && (
            <IconButton
              className={styles.sort}
              label="Sort by name"
              icon={<Icon of={SortAscendingIcon} />}
              aria-pressed={sort === 'name'}
              onClick={() => onSort(sort === 'name' ? 'relevance' : 'name')}
            />
          )}
        </div>
      </div>
    </div>
  )
}
