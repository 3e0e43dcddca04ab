import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { shortLength } from '#format/duration.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import styles from './Finished.module.css'
import { bookSeconds, type Playable } from './model.ts'

export interface FinishedProps {
  title: Playable
  theme: TitleTheme
  /** The menu behind the three dots. */
  more: ReactNode
  /** Books to hear next, and the ways out. */
  next: ReactNode
  onMinimise: () => void
}

/** The end of a book: its colour withdraws to a band, and paper returns. */
export function Finished({ title, theme, more, next, onMinimise }: FinishedProps) {
  const length = shortLength(bookSeconds(title.chapters))
  return (
    <div className={styles.screen}>
      <div className={styles.band} style={themeStyle(theme)}>
        <div className={styles.inner}>
          <div className={styles.top}>
            <IconButton label="Minimise player" icon={<Icon of={CaretDownIcon} />} onClick={onMinimise} />
            <p className={styles.state}>
              <Icon of={CheckIcon} size={18} />
              Finished
            </p>
            {more}
          </div>
          <Cover picture={title.cover} alt={title.coverAlt} sizes="152px" hero className={styles.cover} />
          <Display as="h1" size="lg" className={styles.title}>
            That was <i>{title.title}</i>
          </Display>
          <p className={styles.facts}>
            {title.narrator ? `Read by ${title.narrator}, ${length}.` : `${length}.`} It stays in your
            library, finished.
          </p>
        </div>
      </div>
      <div className={styles.paper} style={{ '--withdrawing': theme['--title-bg'] }}>
        {next}
      </div>
    </div>
  )
}
