import { useMemo } from 'react'
import type { EditorialItem } from '#contract/editorial.ts'
import { BookRows } from '#features/catalogue/BookRows.tsx'
import { authorOf, itemTheme, pictureOf } from '#features/editorial/model.ts'
import { RecordingParts } from '#features/player/RecordingBar.tsx'
import { longDate } from '#format/date.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './editorial.module.css'
import { AfterText, Kicker, Recording } from './EditorialParts.tsx'
import { addressOf, type Own } from './withheld.ts'

/** The recording first, directly below what it is about; the text follows the voice. */
export function PodcastPage({ item, own }: { item: EditorialItem; own: Own }) {
  const theme = useMemo(() => itemTheme(item), [item])
  useBand(theme)
  const picture = pictureOf(item)
  const author = authorOf(item)
  const books = item.relatedBooks
  const plays = item.audioFile !== null && item.parts.length > 0
  return (
    <article>
      <Band theme={theme} as="div">
        <Wrap className={styles.podcast}>
          <div className={styles.podcastWords}>
            <Kicker item={item} />
            <Display as="h1" size="lg" className={styles.name}>
              {item.title}
            </Display>
            {item.summary && <p className={styles.about}>{item.summary}</p>}
            <p className={styles.who}>
              {author && (
                <>
                  <span>{author}</span>,{' '}
                </>
              )}
              <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
            </p>
            {item.hasAudio && <Recording item={item} own={own} />}
          </div>
          {picture && (
            <figure className={styles.art}>
              <Cover picture={picture} alt={item.altText} sizes="(min-width: 900px) 384px, 100vw" hero />
            </figure>
          )}
        </Wrap>
      </Band>
      <Wrap className={styles.below}>
        <div className={styles.main}>
          {item.hasAudio && (
            <Display as="h2" size="sm" className={styles.ruled}>
              Transcript
            </Display>
          )}
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          <AfterText item={item} own={own} />
        </div>
        {(plays || books.length > 0) && (
          <aside className={styles.side}>
            {plays && (
              <section aria-labelledby="parts">
                <Display as="h2" size="sm" id="parts" className={styles.sideTitle}>
                  In this conversation
                </Display>
                <RecordingParts
                  address={addressOf(item)}
                  seconds={item.audioSeconds ?? 0}
                  parts={item.parts}
                />
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
