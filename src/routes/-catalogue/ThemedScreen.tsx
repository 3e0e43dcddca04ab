import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MESSAGES } from '#contract/messages.ts'
import { BookGrid } from '#features/catalogue/BookGrid.tsx'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { browseQuery, stylesQuery, type BrowseSection } from '#features/catalogue/queries.ts'
import { StyleButtons } from '#features/catalogue/StyleButtons.tsx'
import { plural } from '#format/plural.ts'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '../-layout/layout.module.css'
import { PageTop } from '../-layout/PageTop.tsx'
import { themedSearch, themedSearchOf, type ThemedSearch } from '#features/catalogue/themed-search.ts'
import { useAskedSearch } from '../-layout/use-asked-search.ts'

interface ThemedScreenProps {
  title: string
  lead: string
  path: '/astonishing-memoirs' | '/writers-dilemma' | '/audiobooks-in-a-card'
  mark: Pick<BrowseSection, 'memoir' | 'writersDilemma' | 'availableAsCard'>
  search: ThemedSearch
}

/** A shelf with one idea, and the browse screen's style buttons (OP-05). */
export function ThemedScreen({ title, lead, path, mark, search: loaded }: ThemedScreenProps) {
  const search = useAskedSearch(path, loaded, themedSearch)
  const navigate = useNavigate()
  const { data: styleList } = useSuspenseQuery(stylesQuery())
  const { data, isPlaceholderData } = useQuery({
    ...browseQuery({ ...mark, ...search }),
    placeholderData: keepPreviousData,
  })
  const books = data?.['hydra:member'] ?? []
  const total = data?.['hydra:totalItems'] ?? 0
  const options = styleList['hydra:member'].map((style) => ({ id: style.id, label: style.title }))
  return (
    <Wrap className={styles.page}>
      <PageHead title={title} description={lead} canonical={path} />
      <PageTop title={title} lead={lead} aside={<p role="status">{plural(total, 'title')}</p>}>
        <StyleButtons
          options={options}
          chosen={search.styles}
          onChange={(chosen) =>
            void navigate({
              to: path,
              search: themedSearchOf({ ...search, styles: chosen, page: 1 }),
              resetScroll: false,
            })
          }
        />
      </PageTop>
      <div className={styles.body}>
        {data && books.length === 0 ? (
          <Empty title={MESSAGES.noResultsListing} />
        ) : (
          <BookGrid books={books} waiting={isPlaceholderData} />
        )}
      </div>
      <Pagination
        page={search.page}
        last={Math.ceil(total / search.itemsPerPage)}
        to={path}
        searchFor={(page) => themedSearchOf({ ...search, page })}
      />
    </Wrap>
  )
}
