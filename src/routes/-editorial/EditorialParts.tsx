import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { useState } from 'react'
import type { EditorialCard, EditorialItem } from '#contract/editorial.ts'
import { KIND_WORDS, kindOf, videoOf } from '#features/editorial/model.ts'
import { PlayRecording, RecordingBar } from '#features/player/RecordingBar.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { price } from '#format/money.ts'
import { AnchorButton, Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import styles from './editorial.module.css'

/** The type of the piece, its category, and whether it is for members. */
export function Kicker({ item }: { item: EditorialItem }) {
  return (
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
  )
}

interface PartProps {
  item: EditorialItem
  own: Own
}

/** The recording's bar, or in its place how to get it (EDIT-05, EDIT-09). */
export function Recording({ item, own }: PartProps) {
  if (!own.isKnown) return <Unknown own={own} tall />
  if (item.access !== 'open')
    return (
      <MembersBlock
        item={item}
        what="recording"
        signedIn={own.owner !== ''}
        from={`/${addressOf(item)}`}
        onTitle
      />
    )
  if (item.audioFile === null) return null
  return (
    <RecordingBar
      address={addressOf(item)}
      title={item.title}
      seconds={item.audioSeconds ?? 0}
      parts={item.parts}
    />
  )
}

export const playItem = (item: EditorialCard) => (
  <PlayRecording address={addressOf(item)} title={item.title} />
)

/** Film, link and author; a film or link that is held back is replaced by the way to it. */
export function AfterText({ item, own, withoutLink = false }: PartProps & { withoutLink?: boolean }) {
  const withheld = withheldIn(item)
  return (
    <>
      {!own.isKnown && !item.hasAudio && <Unknown own={own} />}
      {own.isKnown && withheld && withheld !== 'recording' && (
        <MembersBlock item={item} what={withheld} signedIn={own.owner !== ''} from={`/${addressOf(item)}`} />
      )}
      {item.videoLink && <VideoFrame link={item.videoLink} title={item.title} />}
      {item.link && !withoutLink && (
        <p className={styles.media}>
          <AnchorButton look="quiet" href={item.link} rel="noopener external">
            {item.linkTitle ?? 'Open the link'}
          </AnchorButton>
        </p>
      )}
      {item.author?.biography && <p className={styles.biography}>{item.author.biography}</p>}
    </>
  )
}

/** Shown until the server has answered, so that a member isn't asked to join. */
export function Unknown({ own, tall = false }: { own: Own; tall?: boolean }) {
  if (!own.failed)
    return (
      <div className={styles.media} aria-busy="true">
        <Skeleton width={tall ? '100%' : 210} height={tall ? 'var(--bar)' : 48} />
      </div>
    )
  return (
    <div className={styles.media}>
      <p role="status">We couldn’t load everything that goes with this piece. The text is all here.</p>
      <Button look="quiet" tone={tall ? 'title' : 'page'} busy={own.busy} onClick={own.retry}>
        Try again
      </Button>
    </div>
  )
}

interface MembersBlockProps {
  item: EditorialItem
  what: 'recording' | 'film' | 'invitation'
  signedIn: boolean
  from: string
  /** In the colours of the band around it. */
  onTitle?: boolean
}

/** In order of preference: plans of this tier, then of the tiers above. */
const PLANS_FROM = { supporter: [6, 7, 4, 5, 1, 2], reader: [4, 5, 1, 2] } as const

/** Replaces player, film and seat; the text is complete for everyone (EDIT-05). */
export function MembersBlock({ item, what, signedIn, from, onTitle = false }: MembersBlockProps) {
  if (!has('membership')) return null
  const all = plans()
  const ids = PLANS_FROM[item.minimumTier ?? 'supporter']
  const plan = all[ids.find((id) => all[id].sold) ?? ids[0]]
  const tone = onTitle ? 'title' : 'page'
  const whom = item.minimumTier === 'reader' ? 'Readers and Avid Readers' : 'members'
  return (
    <section
      className={styles.block}
      data-on-title={onTitle ? '' : undefined}
      data-visitor={signedIn ? undefined : ''}
      aria-labelledby="members"
    >
      <Display as="h2" size="sm" id="members">
        The {what} is for members
      </Display>
      <p className={styles.why}>
        {item.access === 'upgrade'
          ? `Your plan doesn’t include this ${what}. ${plan.type} does, and you can switch at any time.`
          : `Membership pays the people who write and read these. Everything here is free to read; the ${what} is for ${whom}.`}
      </p>
      <p className={styles.plan}>
        <b>{plan.type}</b>, {price(plan.priceMinor)}{' '}
        {plan.yearly ? (
          'a year'
        ) : (
          <>
            a month. <span className={styles.planEnds}>Cancel at any time.</span>
          </>
        )}
      </p>
      <p className={styles.ways}>
        <LinkButton to="/subscription/{-$token}" look="solid" tone={tone}>
          {item.access === 'upgrade' ? 'See the plans' : 'Become a member'}
        </LinkButton>
        {!signedIn && (
          <LinkButton to="/login" search={{ from }} look="quiet" tone={tone}>
            Log in
          </LinkButton>
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

/** What is known of the reader's own access to the item. */
export interface Own {
  /** The user, or '' for a visitor. */
  readonly owner: string
  /** False until the server has answered, so that a member isn't asked to join. */
  readonly isKnown: boolean
  readonly failed: boolean
  readonly busy: boolean
  readonly retry: () => void
}

/** What the item holds back from this reader (EDIT-05, EDIT-09); undefined if nothing. */
export const withheldIn = (item: EditorialItem): 'recording' | 'film' | 'invitation' | undefined =>
  item.access === 'open' ? undefined : item.hasAudio ? 'recording' : item.hasVideo ? 'film' : 'invitation'

/** The player's name of its recording, and the path of its page. */
export const addressOf = (item: Pick<EditorialItem, 'entityType' | 'slug'>): string =>
  `${kindOf(item)}/${item.slug}`
