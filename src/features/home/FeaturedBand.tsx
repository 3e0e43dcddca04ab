import type { ReactNode } from 'react'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './panels.module.css'

interface FeaturedBandProps {
  theme: TitleTheme
  label: string
  cover: ReactNode
  title: string
  by: string
  price: ReactNode
  action: ReactNode
}

/** The featured audiobook: a full band in its own colours (HOME-10). */
export function FeaturedBand({ theme, label, cover, title, by, price, action }: FeaturedBandProps) {
  return (
    <Band theme={theme} aria-labelledby="featured">
      <Wrap className={styles.featured}>
        <div className={styles.cover}>{cover}</div>
        <div>
          <p className={styles.label}>{label}</p>
          <Display as="h2" size="lg" id="featured">
            {title}
          </Display>
          <p className={styles.by}>{by}</p>
          <div className={styles.price}>{price}</div>
          {action}
        </div>
      </Wrap>
    </Band>
  )
}
