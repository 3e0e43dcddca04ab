import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { Link } from '@tanstack/react-router'
import type { EditorialCard } from '#contract/editorial.ts'
import { longDate } from '#format/date.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './items.module.css'
import { authorOf, KIND_WORDS, kindOf, linkTo, pictureOf } from './model.ts'

interface ItemCardProps {
  item: EditorialCard
  level?: 'h2' | 'h3'
  /** In a list the picture stands beside the words, in a carousel above them. */
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
          {author && <>{author}, </>}
          {longDate(item.startsAt ?? item.publishedAt)}
        </p>
      </div>
    </Link>
  )
}
