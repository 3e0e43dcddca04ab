import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useMemo, useSyncExternalStore } from 'react'
import { isOver } from '#contract/calculations/event-time.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import { BookRows } from '#features/catalogue/BookRows.tsx'
import { authorOf, itemTheme } from '#features/editorial/model.ts'
import { longDate } from '#format/date.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './editorial.module.css'
import { AfterText, Kicker, MembersBlock } from './EditorialParts.tsx'
import { type SeatLinks, Ticket } from './Ticket.tsx'
import { addressOf, type Own, withheldIn } from './withheld.ts'

interface EventPageProps {
  item: EditorialItem
  own: Own
  links: SeatLinks
}

/** When and where, and a seat; then what it is. */
export function EventPage({ item, own, links }: EventPageProps) {
  const theme = useMemo(() => itemTheme(item), [item])
  useBand(theme)
  const over = useIsOver(item)
  const author = authorOf(item)
  const withheld = withheldIn(item)
  const books = item.relatedBooks
  return (
    <article>
      <Band theme={theme} as="div">
        <Wrap className={styles.event}>
          <div>
            <Kicker item={item} />
            <Display as="h1" size="lg" className={styles.name}>
              {item.title}
            </Display>
            {item.summary && <p className={styles.about}>{item.summary}</p>}
            <p className={styles.who}>
              {author && (
                <>
                  {item.startsAt && !over && 'With '}
                  <span>{author}</span>
                </>
              )}
              {author && (over || !item.startsAt) && ', '}
              {(over || !item.startsAt) && (
                <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
              )}
            </p>
          </div>
          {item.startsAt && (
            <Ticket item={item} startsAt={item.startsAt} theme={theme} over={over} own={own} links={links} />
          )}
        </Wrap>
      </Band>
      <Wrap className={styles.below}>
        <div className={styles.main}>
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          {withheld === 'invitation' ? (
            !item.startsAt &&
            own.isKnown && (
              <MembersBlock
                item={item}
                what={withheld}
                signedIn={own.owner !== ''}
                from={`/${addressOf(item)}`}
              />
            )
          ) : (
            <AfterText item={item} own={own} withoutLink={item.startsAt !== null} />
          )}
        </div>
        {(item.goodToKnow.length > 0 || books.length > 0) && (
          <aside className={styles.side}>
            {item.goodToKnow.length > 0 && (
              <section aria-labelledby="good-to-know">
                <Display as="h2" size="sm" id="good-to-know" className={styles.sideTitle}>
                  Good to know
                </Display>
                <ul role="list" className={styles.good}>
                  {item.goodToKnow.map((each) => (
                    <li key={each}>
                      <Icon of={CheckIcon} />
                      {each}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {books.length > 0 && (
              <section aria-labelledby="books">
                <Display as="h2" size="sm" id="books" className={styles.sideTitle}>
                  Books in this piece
                </Display>
                <BookRows books={books} />
              </section>
            )}
          </aside>
        )}
      </Wrap>
    </article>
  )
}

/** The page may have been rendered days ago, so the answer's own word counts until it is hydrated. */
const useIsOver = (item: EditorialItem): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => isOver(item, new Date()),
    () => item.over,
  )
