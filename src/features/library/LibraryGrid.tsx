import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { TitleKey } from '#storage/title-key.ts'
import { DownloadButton } from '#features/downloads/DownloadButton.tsx'
import { Cover, type CoverPicture, GRID_SIZES } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { useWindowedGrid } from '#ui/use-windowed-grid.ts'
import styles from './library.module.css'

export interface ShelfItem {
  readonly key: TitleKey
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly format: 'audioBook' | 'eBook'
  readonly picture: CoverPicture
  readonly to: string
  readonly search?: { readonly series: string }
  /** 0 to 1; undefined without progress. */
  readonly share: number | undefined
  /** "6 h 01 m left", "312 pages". */
  readonly words: string
  /** A secondary line: "70% of 148 MB". */
  readonly note?: string | undefined
  /** Why the title can't be opened now; dims the cover, not the text. */
  readonly waitsFor?: string | undefined
  /** For a series: the number of books in this stack. */
  readonly stack?: number
}

interface LibraryGridProps {
  items: readonly ShelfItem[]
  /** The number of covers to load eagerly: the first row is the largest contentful paint. */
  eager?: number
  /** If it continues another grid: the titles in that one, and in both. */
  after?: number
  total?: number
  /** The covers' width, if it isn't that of a library with many titles. */
  sizes?: string | undefined
  /** Renders a title's menu. Must be referentially stable. */
  more?: ((item: ShelfItem) => ReactNode) | undefined
}

/** Covers of a row are aligned at their lower edges. A long grid renders only the rows near the viewport. */
export function LibraryGrid({
  items,
  eager = 6,
  after: earlier = 0,
  total = items.length,
  sizes = SIZES,
  more,
}: LibraryGridProps) {
  const { grid, range } = useWindowedGrid(items.length)
  const { first, end, before, after } = range
  return (
    <>
      <div style={{ height: before }} />
      <ul role="list" ref={grid} className={styles.grid}>
        {items.slice(first, end).map((item, index) => (
          <Card
            key={item.key}
            item={item}
            eager={first + index < eager}
            at={earlier + first + index + 1}
            of={total}
            sizes={sizes}
            more={more}
          />
        ))}
      </ul>
      <div style={{ height: after }} />
    </>
  )
}

/** Six columns on a desktop. */
const SIZES = `(min-width: 1200px) 180px, ${GRID_SIZES}`

interface CardProps {
  item: ShelfItem
  eager: boolean
  at: number
  of: number
  sizes: string
  more: LibraryGridProps['more']
}

const Card = memo(function Card({ item, eager, at, of, sizes, more }: CardProps) {
  const { search } = item
  return (
    <li className={styles.item} aria-posinset={at} aria-setsize={of}>
      <Link
        to={item.to}
        {...(search && { search })}
        className={cx(styles.cover, item.stack !== undefined && styles.stack)}
        data-format={item.format}
        tabIndex={-1}
        aria-hidden="true"
      >
        <Cover
          picture={item.picture}
          alt=""
          sizes={sizes}
          lift
          dim={item.waitsFor !== undefined}
          eager={eager}
        />
      </Link>
      {item.share ? (
        <ProgressLine
          share={item.share}
          label={`Progress in ${item.title}`}
          valueText={`${Math.round(item.share * 100)} per cent, ${item.words}`}
        />
      ) : null}
      <div className={styles.words}>
        <div>
          <h2 className={styles.title}>
            <Link to={item.to} {...(search && { search })}>
              {item.title}
            </Link>
          </h2>
          {item.author && <p className={styles.left}>{item.author}</p>}
          {(item.waitsFor ?? item.note) && (
            <p className={item.waitsFor ? styles.why : styles.note}>{item.waitsFor ?? item.note}</p>
          )}
        </div>
        <div className={styles.foot}>
          <p className={styles.left}>{item.words}</p>
          {item.stack === undefined && (
            <>
              {!item.waitsFor && <DownloadButton titleKey={item.key} of={item.title} />}
              {more?.(item)}
            </>
          )}
        </div>
      </div>
    </li>
  )
})
