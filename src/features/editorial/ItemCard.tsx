import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { Link } from '@tanstack/react-router'
import { eventInWords } from '#contract/calculations/event-time.ts'
import type { Book, EditorialLink } from '#contract/catalogue.ts'
import type { EditorialCard } from '#contract/editorial.ts'
import { longDate } from '#format/date.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { SectionHead } from '#ui/SectionHead.tsx'
import styles from './items.module.css'
import { authorOf, type EditorialKind, KIND_WORDS, kindOf, linkOf, linkTo, pictureOf } from './model.ts'

interface ItemCardProps {
  item: EditorialCard
  level?: 'h2' | 'h3'
  /** A list has the picture at the left, a carousel above. */
  layout?: 'row' | 'column'
  eager?: boolean
}

export function ItemCard({ item, level: Heading = 'h2', layout = 'row', eager }: ItemCardProps) {
  const picture = pictureOf(item)
  const author = authorOf(item)
  return (
    <Link {...linkTo(item)} className={styles.card} data-layout={layout}>
      {picture ? (
        <Cover picture={picture} alt="" sizes="(min-width: 768px) 380px, 90vw" eager={eager} lift />
      ) : (
        layout === 'column' && <span className={styles.blank} />
      )}
      <div>
        <p className={styles.kicker}>
          {item.type?.title ?? KIND_WORDS[kindOf(item)].one}
          {item.memberOnly && (
            <>
              <span aria-hidden="true"> · </span>
              <span className={styles.members}>
                <Icon of={LockSimpleIcon} size={16} />
                Members
              </span>
            </>
          )}
        </p>
        <Heading className={styles.title}>{item.title}</Heading>
        <p className={styles.words}>{item.shortDescription || item.summary}</p>
        <p className={styles.by}>
          {item.startsAt ? (
            // No author next to the day of an event: the day would read like a publication date.
            <>On {eventInWords(item.startsAt, item.publishedAt)}</>
          ) : (
            <>
              {author && <>{author}, </>}
              {longDate(item.publishedAt)}
            </>
          )}
        </p>
      </div>
    </Link>
  )
}

interface AboutBookProps {
  kind: EditorialKind
  links: readonly EditorialLink[]
}

/** (BOOK-13, BOOK-26, BOOK-27) */
export function AboutBook({ kind, links }: AboutBookProps) {
  if (links.length === 0) return null
  const id = `about-${kind}`
  return (
    <section aria-labelledby={id}>
      <SectionHead title={KIND_WORDS[kind].title} id={id} />
      <PieceLinks pieces={links.map((link) => ({ kind, link, kicker: undefined }))} />
    </section>
  )
}

/** Two rows of two. */
const MOST_PIECES = 4

/** For its owner: one list of all kinds. */
export function AboutOwnBook({ book }: { book: Book }) {
  const pieces = [
    ...book.relatedInterviews.map((link) => ({ kind: 'interviews' as const, link })),
    ...book.relatedArticles.map((link) => ({ kind: 'articles' as const, link })),
    ...book.relatedDiscussions.map((link) => ({ kind: 'discussions' as const, link })),
  ]
  if (pieces.length === 0) return null
  return (
    <section aria-labelledby="in-the-journal">
      <SectionHead title="In the Journal" id="in-the-journal" />
      <PieceLinks
        pieces={pieces
          .slice(0, MOST_PIECES)
          .map(({ kind, link }) => ({ kind, link, kicker: KIND_WORDS[kind].one }))}
      />
    </section>
  )
}

interface MorePiecesProps {
  kind: EditorialKind
  pieces: readonly EditorialCard[]
}

/** What comes after a piece: others of its kind. */
export function MorePieces({ kind, pieces }: MorePiecesProps) {
  if (pieces.length === 0) return null
  const { title } = KIND_WORDS[kind]
  return (
    <section aria-labelledby="more-pieces">
      <SectionHead title={`More ${title.toLowerCase()}`} id="more-pieces">
        <Link to={`/${kind}`}>See all</Link>
      </SectionHead>
      <PieceLinks
        pieces={pieces.slice(0, MOST_PIECES).map((link) => ({
          ...{ kind, link },
          kicker: link.startsAt ? eventInWords(link.startsAt, link.publishedAt) : undefined,
        }))}
      />
    </section>
  )
}

/** The first of these pieces, each with its kind or the day of an event, and whether it is for members. */
export const PieceList = ({ items }: { items: readonly EditorialCard[] }) => (
  <PieceLinks
    pieces={items.slice(0, MOST_PIECES).map((item) => ({
      kind: kindOf(item),
      link: item,
      kicker: [
        item.startsAt
          ? eventInWords(item.startsAt, item.publishedAt)
          : (item.type?.title ?? KIND_WORDS[kindOf(item)].one),
        item.memberOnly && 'Members',
      ]
        .filter(Boolean)
        .join(' · '),
    }))}
  />
)

interface PieceLinksProps {
  pieces: readonly {
    readonly kind: EditorialKind
    readonly link: Pick<EditorialLink, 'slug' | 'title' | 'image' | 'shortDescription'>
    /** Above the title. */
    readonly kicker: string | undefined
  }[]
}

function PieceLinks({ pieces }: PieceLinksProps) {
  return (
    <ul role="list" className={styles.links}>
      {pieces.map(({ kind, link, kicker }) => {
        const picture = pictureOf({ image: link.image, imagePlaceholder: null })
        return (
          <li key={`${kind} ${link.slug}`}>
            <Link {...linkOf(kind, link.slug)} className={styles.link}>
              {picture && <Cover picture={picture} alt="" sizes="(min-width: 768px) 180px, 34vw" lift />}
              <span>
                {kicker && <span className={styles.kicker}>{kicker}</span>}
                <b className={styles.aboutTitle}>{link.title}</b>
                <span className={styles.aboutWords}>{link.shortDescription}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
