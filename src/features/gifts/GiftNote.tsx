import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import styles from './gifts.module.css'

interface GiftNoteProps {
  title: string
  /** A book's cover. */
  picture?: ReactNode
  giver: string
  message: string | null
}

/** The gift, its giver, and their words as they were written: text, never markup. */
export const GiftNote = ({ title, picture, giver, message }: GiftNoteProps) => (
  <section className={styles.gift} aria-label={`Your gift, ${title}`}>
    {picture && <div className={styles.cover}>{picture}</div>}
    <div className={styles.words}>
      <Display as="h3" size="sm">
        {title}
      </Display>
      {giver && <p>From {giver}</p>}
      {message && <blockquote className={styles.message}>{message}</blockquote>}
    </div>
  </section>
)
