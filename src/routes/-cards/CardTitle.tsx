import type { ReactNode } from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './redemption.module.css'
import type { BookCard } from '#contract/catalogue.ts'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { Icon } from '#ui/Icon.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'

interface CardTitleProps {
  book: BookCard
  done: 1 | 3
  heading: string
  lead: ReactNode
  actions: ReactNode
  children?: ReactNode
}

/** A page in the colours of the book, once its code is known. */
export function CardTitle({ book, done, heading, lead, actions, children }: CardTitleProps) {
  const theme = themeOf(book)
  useBand(theme)
  return (
    <Band theme={theme} as="div" className={styles.whole}>
      <Wrap className={styles.title}>
        <div className={styles.cardTitleCover}>
          <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 460px, 66vw" hero />
        </div>
        <div>
          <StepsDone done={done} />
          <Display as="h1" size="lg">
            {heading}
          </Display>
          <p className={styles.cardTitleLead}>{lead}</p>
          <p className={styles.facts}>{factsOf(book)}</p>
          <div className={styles.cardTitleWays}>{actions}</div>
          {children}
        </div>
      </Wrap>
    </Band>
  )
}

/** What the bookshop earns (RDM-10). */
export const BookshopShare = ({ bookshop }: { bookshop: string }) => (
  <div className={styles.share}>
    <h2>{bookshop} earns from this too</h2>
    <p>
      When a bookshop sells a card, the shop and {shop().name} split what it costs. If you’re new here, it
      also earns a share of the titles you buy later.
    </p>
  </div>
)

/** "Orla Finnegan, read by Cathal Brey. 4 h 26 m", as far as the catalogue knows. */
function factsOf(book: BookCard): string {
  const narrators = narratorsOf(book)
  const people = [authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')
  return [people, lengthOf(book).replaceAll(' ', '\u00a0')].filter(Boolean).join('. ')
}

/** The three steps, with the form in the first (RDM-01). */
export const RedemptionSteps = ({ children }: { children: ReactNode }) => (
  <ol role="list" className={styles.steps}>
    <li aria-current="step">
      <span className={styles.number}>1</span>
      <div>
        <h2>Enter your code</h2>
        <p>It’s inside the card. Hyphens are optional.</p>
      </div>
      <div className={styles.stepForm}>{children}</div>
    </li>
    <li>
      <span className={styles.number}>2</span>
      <div>
        <h2>Sign in or create an account</h2>
        <p>An email and a password. No card details.</p>
      </div>
    </li>
    <li>
      <span className={styles.number}>3</span>
      <div>
        <h2>Open your library</h2>
        <p>Listen in the browser, or save it for the train.</p>
      </div>
    </li>
  </ol>
)

const StepsDone = ({ done }: { done: 1 | 3 }) => (
  <ol role="list" className={styles.done}>
    {['Code', 'Account', 'Library'].map((step, index) => (
      <li key={step} aria-current={index === done ? 'step' : undefined}>
        {index < done ? (
          <>
            <Icon of={CheckIcon} size={18} />
            <VisuallyHidden>Done: </VisuallyHidden>
          </>
        ) : (
          <span aria-hidden="true">{index + 1}.</span>
        )}
        {step}
      </li>
    ))}
  </ol>
)
