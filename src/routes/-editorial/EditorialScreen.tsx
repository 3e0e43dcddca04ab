import { useQuery } from '@tanstack/react-query'
import type { EditorialItem } from '#contract/editorial.ts'
import { BookCarousel } from '#features/catalogue/BookCarousel.tsx'
import { MembersBlock } from '#features/editorial/MembersBlock.tsx'
import type { EditorialKind } from '#features/editorial/model.ts'
import { itemQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { Reading } from '#features/editorial/Reading.tsx'
import { VideoFrame } from '#features/editorial/VideoFrame.tsx'
import { listenTo } from '#features/player/lazy.ts'
import { useSession } from '#session/store.ts'
import { AnchorButton, Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { editorialJsonLd, editorialTrail, useStructuredData } from '#app/page/structured-data.ts'
import styles from './editorial.module.css'
import { Sections } from '#routes/-layout/Sections.tsx'

interface EditorialScreenProps {
  kind: EditorialKind
  slug: string
}

export function EditorialScreen({ kind, slug }: EditorialScreenProps) {
  const { data: shown } = useQuery(itemQuery(kind, slug))
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  // Only members' items look different for somebody who is logged in.
  const isAsked = owner !== undefined && shown?.memberOnly === true
  const own = useQuery({ ...ownItemQuery(kind, slug, owner ?? ''), enabled: isAsked })
  const item = own.data ?? shown
  useStructuredData(
    import.meta.env.SSR &&
      item !== undefined &&
      item !== null &&
      ((origin) => [editorialJsonLd(item, origin), editorialTrail(item, origin)]),
  )
  if (!item) return null
  return (
    <>
      <PageHead
        title={item.title}
        description={item.metaDescription || item.shortDescription || item.summary}
        canonical={`/${kind}/${item.slug}`}
        image={item.image}
        type="article"
      />
      <Reading
        item={item}
        media={
          !isAsked || own.data !== undefined ? (
            <Media item={item} kind={kind} signedIn={owner !== undefined} />
          ) : (
            <Unknown failed={own.isError} busy={own.isFetching} onRetry={() => void own.refetch()} />
          )
        }
      />
      {item.relatedBooks.length > 0 && (
        <Sections>
          <BookCarousel title="Books in this piece" books={item.relatedBooks} />
        </Sections>
      )}
    </>
  )
}

/** Until the server has said what this reader may have: a member must not be asked to become one. */
function Unknown({ failed, busy, onRetry }: { failed: boolean; busy: boolean; onRetry: () => void }) {
  if (!failed)
    return (
      <div className={styles.media} aria-busy="true">
        <Skeleton width={210} height={48} />
      </div>
    )
  return (
    <div className={styles.media}>
      <p role="status">We couldn’t load everything that goes with this piece. The text is all here.</p>
      <Button look="quiet" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/** Sound, film and link for readers who may have them; for others, how to get them (EDIT-05, EDIT-09). */
function Media({ item, kind, signedIn }: { item: EditorialItem; kind: EditorialKind; signedIn: boolean }) {
  if (item.access !== 'open')
    return (
      <MembersBlock
        access={item.access}
        minimumTier={item.minimumTier}
        what={item.hasAudio ? 'recording' : item.hasVideo ? 'film' : 'invitation'}
        signedIn={signedIn}
        from={`/${kind}/${item.slug}`}
      />
    )
  return (
    <div className={styles.media}>
      {item.audioFile && (
        <Button
          look="beak"
          onClick={() => void listenTo({ slug: `${kind}/${item.slug}`, kind: 'recording' }, () => undefined)}
        >
          Listen to the recording
        </Button>
      )}
      {item.videoLink && <VideoFrame link={item.videoLink} title={item.title} />}
      {item.link && (
        <AnchorButton look="quiet" href={item.link} rel="noopener external">
          {item.linkTitle ?? 'Open the link'}
        </AnchorButton>
      )}
    </div>
  )
}
