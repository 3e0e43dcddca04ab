import type { ReactNode } from 'react'
import { Display, ItalicWord } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './Intro.module.css'

interface IntroProps {
  /** Stands at the right in its own colours, to the edge of the window. */
  pick: ReactNode
  title: string
  /** The word of the title in italics. */
  italic: string | null
  /** In the owner's words. */
  text: string
  actions: ReactNode
}

export function Intro({ pick, title, italic, text, actions }: IntroProps) {
  return (
    <section className={styles.intro} aria-labelledby="intro">
      <Wrap className={styles.inner}>
        <Flock className={styles.flock} />
        <div className={styles.words}>
          <Display as="h1" size="xl" id="intro" className={styles.headline}>
            <ItalicWord text={title} word={italic} />
          </Display>
          <p className={styles.lead}>{text}</p>
          <div className={styles.actions}>{actions}</div>
        </div>
        {pick}
      </Wrap>
    </section>
  )
}
