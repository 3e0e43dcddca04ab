import type { ReactNode } from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { Wordmark } from '#ui/Wordmark.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './footer.module.css'
import { FooterColumn, type FooterColumnProps } from './FooterColumn.tsx'

export interface FooterProps {
  /** At most four; titles and links come from the menu data. */
  columns: readonly Pick<FooterColumnProps, 'title' | 'links'>[]
  /** The newsletter form comes first. */
  newsletter?: ReactNode | undefined
  social?: readonly { title: string; url: string }[] | undefined
  /** One quiet line at the end: who runs the shop. */
  imprint?: ReactNode | undefined
  /** Choices a reader makes about the page, at its end. */
  settings?: ReactNode | undefined
}

export function Footer({ columns, newsletter, social = NOWHERE, imprint, settings }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <Wrap className={styles.inner}>
        {newsletter}
        <nav aria-label="Footer" className={styles.columns}>
          {columns.map((column) => (
            <FooterColumn key={column.title} title={column.title} links={column.links} />
          ))}
        </nav>
        {(imprint || social.length > 0) && (
          <div className={styles.small}>
            {imprint && <p>{imprint}</p>}
            {social.length > 0 && (
              <ul role="list" className={styles.social}>
                {social.map(({ title, url }) => (
                  <li key={url}>
                    <a href={url} rel="me noreferrer">
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
        {settings}
        <div className={styles.sign} aria-hidden="true">
          <Wordmark {...shop()} large />
        </div>
      </Wrap>
    </footer>
  )
}

const NOWHERE: NonNullable<FooterProps['social']> = []
