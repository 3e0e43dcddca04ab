import type { EditorialItem } from '#contract/editorial.ts'
import { authorOf, itemTheme, pictureOf } from '#features/editorial/model.ts'
import { longDate } from '#format/date.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './editorial.module.css'
import { AfterText, Kicker, Recording } from './EditorialParts.tsx'
import type { Own } from './withheld.ts'

/** One 66-character column, with date and author at its side from 1200 px on. */
export function ArticlePage({ item, own }: { item: EditorialItem; own: Own }) {
  const picture = pictureOf(item)
  const author = authorOf(item)
  return (
    <Wrap>
      <article className={styles.article}>
        <Kicker item={item} />
        <Display as="h1" size="lg" className={styles.title}>
          {item.title}
        </Display>
        {item.summary && <p className={styles.standfirst}>{item.summary}</p>}
        {item.hasAudio && (
          <div className={styles.sound} style={themeStyle(itemTheme(item))}>
            <Recording item={item} own={own} />
          </div>
        )}
        {picture && (
          <figure className={styles.plate}>
            <Cover picture={picture} alt={item.altText} sizes="(min-width: 1040px) 960px, 100vw" hero />
          </figure>
        )}
        <p className={styles.by}>
          {author && <b>{author}</b>}
          <time dateTime={item.publishedAt}>{longDate(item.publishedAt)}</time>
        </p>
        <div className={styles.column}>
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: item.main }} />
          <AfterText item={item} own={own} />
        </div>
      </article>
    </Wrap>
  )
}
