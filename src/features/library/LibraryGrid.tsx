import { Link } from '@tanstack/react-router'
import type { TitleKey } from '#device/title-key.ts'
import { DownloadButton } from '#features/downloads/DownloadButton.tsx'
import { Cover } from '#ui/Cover.tsx'
import type { CoverPicture } from '#ui/cover-picture.ts'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import styles from './library.module.css'

export interface ShelfItem {
  readonly key: TitleKey
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly format: 'audioBook' | 'eBook'
  readonly picture: CoverPicture
  readonly to: string
  /** 0 to 1; undefined where there is nothing to measure. */
  readonly share: number | undefined
  /** "6 h 01 m left", "312 pages". */
  readonly words: string
  /** Second quiet line: "70% of 148 MB". */
  readonly note?: string | undefined
  /** Why it cannot be opened now; dims the cover, never the words. */
  readonly waitsFor?: string | undefined
}

interface LibraryGridProps {
  items: readonly ShelfItem[]
  /** The first row's covers are the largest paint of this screen. */
  eager?: number
}

const SIZES = '(min-width: 1280px) 282px, (min-width: 768px) 23vw, (min-width: 480px) 30vw, 45vw'

/** Covers of a row share their lower edge; beneath each its progress, name and what is left. */
export function LibraryGrid({ items, eager = 4 }: LibraryGridProps) {
  return (
    <ul role="list" className={styles.grid}>
      {items.map((item, index) => (
        <li key={item.key} className={styles.item}>
          <Link
            to={item.to}
            className={styles.cover}
            data-format={item.format}
            tabIndex={-1}
            aria-hidden="true"
          >
            <Cover
              picture={item.picture}
              alt=""
              sizes={SIZES}
              lift
              dim={item.waitsFor !== undefined}
              eager={index < eager}
            />
          </Link>
          {item.share === undefined ? (
            <span className={styles.noLine} />
          ) : (
            <ProgressLine
              share={item.share}
              label={`Progress in ${item.title}`}
              valueText={`${Math.round(item.share * 100)} per cent, ${item.words}`}
            />
          )}
          <div className={styles.words}>
            <div>
              <h2 className={styles.title}>
                <Link to={item.to}>{item.title}</Link>
              </h2>
              {item.author && <p className={styles.left}>{item.author}</p>}
              <p className={styles.left}>{item.words}</p>
              {(item.waitsFor ?? item.note) && (
                <p className={item.waitsFor ? styles.why : styles.note}>{item.waitsFor ?? item.note}</p>
              )}
            </div>
            {!item.waitsFor && <DownloadButton titleKey={item.key} of={item.title} />}
          </div>
        </li>
      ))}
    </ul>
  )
}
