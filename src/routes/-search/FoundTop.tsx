import { KeywordForm } from '#features/search/KeywordForm.tsx'
import { type Sort, SORTS } from '#features/search/model.ts'
import { Chip, LinkChip } from '#ui/Chip.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './search.module.css'

interface FoundTopProps {
  title: string
  keyword: string
  /** The keyword of the results on screen, which lags behind `keyword`. */
  found: string
  sort: Sort
  /** "12 results"; null before a search. */
  count: string | null
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
  meant,
  other,
  onSearch,
  onSort,
}: FoundTopProps) {
  return (
    <div className={styles.top}>
      <Display as="h1" size="lg">
        {title}
      </Display>
      <KeywordForm label={title} keyword={keyword} onSearch={onSearch} />
      <div className={styles.line}>
        <p role="status" className={styles.count}>
          {count ?? 'Type at least three letters of a title or a name.'}
          {meant && `. Nothing found for “${found.trim()}”. Here’s what we have for “${meant}”.`}
        </p>
        {other && (
          <LinkChip to={other.to} search={keyword ? { keyword } : {}}>
            {other.label}
          </LinkChip>
        )}
        {count !== null && (
          <div role="group" aria-label="Sort by" className={styles.sort}>
            {SORTS.map(({ id, label }) => (
              <Chip key={id} pressed={sort === id} onClick={() => onSort(id)}>
                {label}
              </Chip>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}
