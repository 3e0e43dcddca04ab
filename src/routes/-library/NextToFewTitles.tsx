import { useQuery } from '@tanstack/react-query'
import { useFreeChoice } from '#features/bag/FreeChoice.tsx'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { relatedQuery } from '#features/catalogue/queries.ts'
import type { ShelfItem } from '#features/library/LibraryGrid.tsx'
import { useOnline } from '#net/use-online.ts'
import { titleKey } from '#storage/title-key.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { ChoiceOfTheMonth } from '../-home/OwnParts.tsx'
import styles from './library.module.css'

interface NextToFewTitlesProps {
  of: readonly ShelfItem[]
}

/** Below a library of few titles: what the user can choose for nothing, otherwise what goes well with one of them. */
export function NextToFewTitles({ of: titles }: NextToFewTitlesProps) {
  const online = useOnline()
  const choice = useFreeChoice()
  const isOwned = useOwnedTitles(({ owned }) => owned)
  const title = titles.find(({ format }) => format === 'audioBook') ?? titles[0]
  const { data } = useQuery({
    ...relatedQuery(title?.format === 'eBook' ? 'e_books' : 'audio_books', title?.slug ?? ''),
    enabled: online && choice === null && title !== undefined,
  })
  if (!online || !title) return null
  if (choice)
    return (
      <div className={styles.nextToFew}>
        <ChoiceOfTheMonth choice={choice} />
      </div>
    )
  const related = (data?.['hydra:member'] ?? []).filter(
    ({ entityType, slug }) => !isOwned.has(titleKey(entityType === 'eBook' ? 'ebook' : 'audio', slug)),
  )
  return (
    <Wrap className={styles.nextToFew} data-related>
      <BookCarousel title={`Goes well with ${title.title}`} books={related} />
    </Wrap>
  )
}
