import type { ReactNode } from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { useBand } from '#ui/band.ts'
import type { TitleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './CardTitle.module.css'
import { StepsDone } from './RedemptionSteps.tsx'

interface CardTitleProps {
  theme: TitleTheme
  cover: ReactNode
  done: 1 | 3
  heading: string
  lead: ReactNode
  /** Its authors, its narrators and its length. */
  facts: string
  ways: ReactNode
  children?: ReactNode
}

/** The code is known: the book’s colours fill the page. */
export function CardTitle({ theme, cover, done, heading, lead, facts, ways, children }: CardTitleProps) {
  useBand(theme)
  return (
    <Band theme={theme} as="div" className={styles.whole}>
      <Wrap className={styles.title}>
        <div className={styles.cover}>{cover}</div>
        <div>
          <StepsDone done={done} />
          <Display as="h1" size="lg">
            {heading}
          </Display>
          <p className={styles.lead}>{lead}</p>
          <p className={styles.facts}>{facts}</p>
          <div className={styles.ways}>{ways}</div>
          {children}
        </div>
      </Wrap>
    </Band>
  )
}

/** The bookshop's share of it (RDM-10). */
export const BookshopShare = ({ bookshop }: { bookshop: string }) => (
  <div className={styles.share}>
    <h2>{bookshop} earns from this too</h2>
    <p>
      When a bookshop sells a card, the shop and {shop().name} split what it costs. If you’re new here, it
      also earns a share of the titles you buy later.
    </p>
  </div>
)
