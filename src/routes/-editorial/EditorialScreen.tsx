import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { editorialJsonLd, editorialTrail, useStructuredData } from '#app/page/structured-data.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import type { Plan } from '#contract/plans.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import {
  authorOf,
  type EditorialKind,
  KIND_WORDS,
  kindOf,
  pictureOf,
  videoOf,
} from '#features/editorial/model.ts'
import { itemQuery, ownItemQuery } from '#features/editorial/queries.ts'
import { listenTo } from '#features/player/lazy.ts'
import { memberDiscount, plans } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { dayAndHour, longDate } from '#format/date.ts'
import { price } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { AnchorButton, Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { Sections } from '#routes/-layout/PageTop.tsx'
import styles from './editorial.module.css'

interface EditorialScreenProps {
  kind: EditorialKind
  slug: string
}

export function EditorialScreen({ kind, slug }: EditorialScreenProps) {
  const { data: shown } = useQuery(itemQuery(kind, slug))
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  // Only members' items differ for users who are logged in.
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

/** Shown until the server has answered, so that a member isn't asked to join. */
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

/** Sound, film and link, or how to get them (EDIT-05, EDIT-09). */
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

interface ReadingProps {
  item: EditorialItem
  /** Player, video and link, or what replaces them. */
  media?: ReactNode
}

/**
 * One 66-character column, with date and author at its side from 1200 px on. `main` was sanitised when it was saved.
 */
function Reading({ item, media }: ReadingProps) {
  const picture = pictureOf(item)
  const author = authorOf(item)
  return (
    <Wrap>
      <article className={styles.article}>
        <p className={styles.kicker}>
          <span>{item.type?.title ?? KIND_WORDS[kindOf(item)].one}</span>
          {item.category && (
            <>
              <span aria-hidden="true">·</span>
              <span>{item.category.name}</span>
            </>
          )}
          {item.memberOnly && (
            <>
              <span aria-hidden="true">·</span>
              <b>
                <Icon of={LockSimpleIcon} size={16} />
                Members
              </b>
            </>
          )}
        </p>
        <Display as="h1" size="lg" className={styles.title}>
          {item.title}
        </Display>
        {item.summary && <p className={styles.standfirst}>{item.summary}</p>}
        {picture && (
          <figure className={styles.plate}>
            <Cover picture={picture} alt={item.altText} sizes="(min-width: 1040px) 960px, 100vw" hero />
          </figure>
        )}
        <p className={styles.by}>
          {author && <b>{author}</b>}
          {item.startsAt && (
            <span className={styles.when}>
              On <time dateTime={item.startsAt}>{dayAndHour(item.startsAt)}</time>
            </span>
          )}
          <span>
            {item.startsAt && 'Published '}
            <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
          </span>
        </p>
        <div className={styles.column}>
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          {media}
          {item.author?.biography && <p className={styles.biography}>{item.author.biography}</p>}
        </div>
      </article>
    </Wrap>
  )
}

interface MembersBlockProps {
  /** `member`: needs a membership; `upgrade`: a higher plan than this reader's. */
  access: 'member' | 'upgrade'
  minimumTier: 'supporter' | 'reader' | null
  /** "recording", "film". */
  what: string
  signedIn: boolean
  from: string
}

const promisesOf = ({ tier, texts, creditsPerMonth }: Plan): readonly string[] => {
  if (texts) return texts
  const off = memberDiscount() > 0 ? [`Up to ${memberDiscount()}% off the collection`] : []
  const free =
    creditsPerMonth > 0
      ? [`${creditsPerMonth} free audiobook${creditsPerMonth === 1 ? '' : 's'} every month`]
      : []
  return tier === 'supporter'
    ? ['Articles and recordings for members', ...free, ...off, 'Subscriber-only event invitations']
    : ['Every article and recording', ...free, ...off]
}

/** In order of preference: plans of this tier, then of the tiers above. */
const PLANS_FROM = { supporter: [6, 7, 4, 5, 1, 2], reader: [4, 5, 1, 2] } as const

/** Replaces player and video; the text above it is complete for everyone (EDIT-05). */
function MembersBlock({ access, minimumTier, what, signedIn, from }: MembersBlockProps) {
  if (!has('membership')) return null
  const tier = minimumTier ?? 'supporter'
  const all = plans()
  const ids = PLANS_FROM[tier]
  const plan = all[ids.find((id) => all[id].sold) ?? ids[0]]
  return (
    <section className={styles.block} aria-labelledby="members">
      <Display as="h2" size="md" id="members">
        The {what} is for members
      </Display>
      <p className={styles.why}>
        {access === 'upgrade'
          ? `Your plan doesn’t include this ${what}. ${plan.type} does, and you can switch at any time.`
          : `Members pay the people who write and read these pieces. You can read it all here; the ${what} comes with a membership.`}
      </p>
      <div className={styles.plan}>
        <div>
          <p className={styles.name}>{plan.type}</p>
          <p className={styles.price}>
            <b>{price(plan.priceMinor)}</b> <span>{plan.yearly ? 'a year' : 'a month'}</span>
          </p>
        </div>
        <ul role="list">
          {promisesOf(plan).map((promise) => (
            <li key={promise}>
              <Icon of={CheckIcon} size={20} />
              {promise}
            </li>
          ))}
        </ul>
      </div>
      <p className={styles.ways}>
        <Link to="/subscription/{-$token}" className="text-link">
          See the plans
        </Link>
        {!signedIn && (
          <Link to="/login" search={{ from }} className="text-link">
            Log in
          </Link>
        )}
      </p>
    </section>
  )
}

interface VideoFrameProps {
  link: string
  title: string
}

/** Loads a film only after a press, so that no third party is contacted without consent (EDIT-06). */
function VideoFrame({ link, title }: VideoFrameProps) {
  const [playing, setPlaying] = useState(false)
  const video = videoOf(link)
  if (video.kind === 'invalid') return <p className={styles.invalid}>Invalid URL</p>
  if (video.kind === 'link')
    return (
      <p>
        <a href={video.address} rel="noopener external" className={styles.link}>
          Watch the film
        </a>
      </p>
    )
  return (
    <div className={styles.frame}>
      {playing ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the film's own player needs its scripts and its origin
        <iframe
          src={video.address}
          title={`Film: ${title}`}
          allow="fullscreen; picture-in-picture; encrypted-media"
          referrerPolicy="strict-origin-when-cross-origin"
          allowFullScreen
        />
      ) : (
        <div className={styles.ask}>
          <p>The film comes from {new URL(video.address).hostname.replace(/^www\./, '')}.</p>
          <Button look="solid" onClick={() => setPlaying(true)}>
            Show the film
          </Button>
        </div>
      )}
    </div>
  )
}
