import type { ReactNode } from 'react'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import { Display } from '#ui/Display.tsx'
import styles from './PickedBook.module.css'

interface PickedBookProps {
  theme: TitleTheme
  label: string
  cover: ReactNode
  /** The title as a link to its page. */
  title: ReactNode
  /** Its bookseller's words. */
  words?: string
  by: string
}

/** One title in its own colours, beside the headline and to the edge of the window. */
export function PickedBook({ theme, label, cover, title, words, by }: PickedBookProps) {
  return (
    <aside className={styles.pick} style={themeStyle(theme)} aria-label={label}>
      {cover}
      <div>
        <p className={styles.label}>{label}</p>
        <Display as="h2" size="md" className={styles.title}>
          {title}
        </Display>
        {!words && <p className={styles.by}>{by}</p>}
      </div>
      {words && (
        <blockquote className={styles.words}>
          {words}
          <footer className={styles.by}>{by}</footer>
        </blockquote>
      )}
    </aside>
  )
}
