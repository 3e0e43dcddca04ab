import { useQuery } from '@tanstack/react-query'
import { PageHead } from '#app/page/PageHead.tsx'
import { editorialJsonLd, editorialTrail, useStructuredData } from '#app/page/structured-data.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import type { EditorialKind } from '#features/editorial/model.ts'
import { itemQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { useSession } from '#session/store.ts'
import { Sections } from '#routes/-layout/PageTop.tsx'
import { ArticlePage } from './ArticlePage.tsx'
import { EventPage } from './EventPage.tsx'
import { PodcastPage } from './PodcastPage.tsx'
import type { SeatLinks } from './Ticket.tsx'
import type { Own } from './withheld.ts'

const NO_LINKS: SeatLinks = {}

interface EditorialScreenProps {
  kind: EditorialKind
  slug: string
  /** Tokens of links in emails about a seat at an event. */
  links?: SeatLinks
}

export function EditorialScreen({ kind, slug, links = NO_LINKS }: EditorialScreenProps) {
  const { data: shown } = useQuery(itemQuery(kind, slug))
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  // Only members' items differ for users who are logged in.
  const isAsked = owner !== undefined && shown?.memberOnly === true
  const asked = useQuery({ ...ownItemQuery(kind, slug, owner ?? ''), enabled: isAsked })
  const item = asked.data ?? shown
  useStructuredData(
    import.meta.env.SSR &&
      item !== undefined &&
      item !== null &&
      ((origin) => [editorialJsonLd(item, origin), editorialTrail(item, origin)]),
  )
  if (!item) return null
  const own: Own = {
    owner: owner ?? '',
    isKnown: !isAsked || asked.data !== undefined,
    failed: asked.isError,
    busy: asked.isFetching,
    retry: () => void asked.refetch(),
  }
  return (
    <>
      <PageHead
        title={item.title}
        description={item.metaDescription || item.shortDescription || item.summary}
        canonical={`/${kind}/${item.slug}`}
        image={item.image}
        type="article"
      />
      {item.entityType === 'article' && <ArticlePage item={item} own={own} />}
      {item.entityType === 'interview' && <PodcastPage item={item} own={own} />}
      {item.entityType === 'discussion' && <EventPage item={item} own={own} links={links} />}
      {item.entityType === 'article' && item.relatedBooks.length > 0 && (
        <Sections>
          <BookCarousel title="Books in this piece" books={item.relatedBooks} />
        </Sections>
      )}
    </>
  )
}
