import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { PAGE_SIZE } from '#contract/limits.ts'
import { BookGrid } from '#features/catalogue/BookGrid.tsx'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { publisherBooksQuery, publisherQuery } from '#features/catalogue/queries.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '../layout/layout.module.css'
import { PageTop } from '../layout/PageTop.tsx'
import shelf from './publishers.module.css'

export function PublisherScreen({ slug, page }: { slug: string; page: number }) {
  const { data: publisher } = useSuspenseQuery(publisherQuery(slug))
  const { data: books } = useQuery(publisherBooksQuery(slug, page))
  if (!publisher) return null
  const titles = books?.['hydra:member'] ?? []
  return (
    <Wrap className={styles.page}>
      <PageHead
        title={publisher.name}
        description={publisher.about}
        canonical={`/publishers/${publisher.slug}`}
      />
      <PageTop title={publisher.name}>
        {publisher.about && <p className={shelf.about}>{publisher.about}</p>}
        {publisher.website && (
          <p>
            <a href={publisher.website} rel="noopener external" className="text-link">
              {publisher.website.replace(/^https?:\/\//, '')}
            </a>
          </p>
        )}
      </PageTop>
      <section className={shelf.books} aria-labelledby="books">
        <Display as="h2" size="md" id="books">
          Audiobooks
        </Display>
        {titles.length === 0 ? (
          <p>Nothing on our shelves yet. Their first book is being recorded.</p>
        ) : (
          <BookGrid books={titles} />
        )}
      </section>
      <Pagination
        page={page}
        last={Math.ceil((books?.['hydra:totalItems'] ?? 0) / PAGE_SIZE.collection)}
        to={`/publishers/${publisher.slug}`}
        searchFor={(number): Record<string, string> => (number > 1 ? { page: String(number) } : {})}
      />
    </Wrap>
  )
}
