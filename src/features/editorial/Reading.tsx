import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import type { ReactNode } from 'react'
import type { EditorialItem } from '#contract/editorial.ts'
import { dayAndHour, longDate } from '#format/date.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { authorOf, KIND_WORDS, kindOf, pictureOf } from './model.ts'
import styles from './Reading.module.css'

interface ReadingProps {
  item: EditorialItem
  /** Player, video and link, or what stands in their place. */
  media?: ReactNode
}

/** One 66-character column; date and author hang beside it from 1200 px on. `main` was sanitised when it was written. */
export function Reading({ item, media }: ReadingProps) {
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
