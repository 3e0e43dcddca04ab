import { Link } from '@tanstack/react-router'
import type { Book } from '#contract/catalogue.ts'
import { placeOf } from './model.ts'
import styles from './people.module.css'

/** A line for each series: "Book 2 of 5 in The Orrin Quay books". Of a page from before there were series, none. */
export function SeriesLines({ book }: { book: Partial<Pick<Book, 'series'>> }) {
  return book.series?.map((place) => {
    const words = placeOf({ series: [place] })
    return (
      <p key={place.slug} className={styles.series}>
        {words ? `${words} in ` : 'Part of '}
        <Link to="/series/$slug" params={{ slug: place.slug }} className={styles.person}>
          {place.title}
        </Link>
      </p>
    )
  })
}
