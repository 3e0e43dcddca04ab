import type { PageDetails } from '#contract/shop-details.ts'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { linkOf, type MenuGroup, type ShellLink } from '../menus/links.ts'
import { type ReactNode, useId, useState } from 'react'
import { Wordmark } from '#ui/Wordmark.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './footer.module.css'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { LinkList } from '../menus/NavLink.tsx'
import { Display } from '#ui/Display.tsx'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { giveConsent, useConsent, type Consent } from '#features/analytics/track.ts'

/**
 * The footer of standard pages, with the shop's menu. `letter` is false if the page has its own newsletter
 * form.
 */
export const StandardFooter = ({ menu, letter }: { menu: FooterProps['columns']; letter: boolean }) => (
  <Footer
    columns={[...(shop().footer?.map(columnOf) ?? menu), YOURS]}
    newsletter={
      letter && (
        <Letter {...shop().newsletter}>
          <NewsletterForm tone="ink" />
        </Letter>
      )
    }
    social={shop().social}
    settings={<ConsentLine />}
    imprint={shop().about}
  />
)

const columnOf = ({ title, links }: NonNullable<PageDetails['footer']>[number]) => ({
  title,
  links: links.map(linkOf),
})

/** Fixed links next to the shop's menu: the user's pages, and the booksellers' login (FTR-01). */
const YOURS: MenuGroup = {
  title: 'Yours',
  links: [
    { label: 'Library', to: '/library' },
    { label: 'Orders', to: '/orders' },
    { label: 'Downloads', to: '/downloads' },
    { label: 'Settings', to: '/settings' },
    { label: 'Withdraw from contract here', to: '/withdraw' },
    { label: 'For booksellers', to: '/reseller' },
  ],
}

interface FooterProps {
  /** At most four; titles and links come from the menu data. */
  columns: readonly Pick<FooterColumnProps, 'title' | 'links'>[]
  newsletter?: ReactNode | undefined
  social?: readonly { title: string; url: string }[] | undefined
  /** The legal notice at the end: who runs the shop. */
  imprint?: ReactNode | undefined
  /** Display settings, at the end. */
  settings?: ReactNode | undefined
}

export function Footer({ columns, newsletter, social = NOWHERE, imprint, settings }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <Wrap className={styles.inner}>
        <div className={styles.top}>
          {newsletter}
          <nav aria-label="Footer" className={styles.columns}>
            {columns.map((column) => (
              <FooterColumn key={column.title} title={column.title} links={column.links} />
            ))}
          </nav>
        </div>
        <div className={styles.small}>
          {settings}
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
        <div className={styles.end}>
          {imprint && <p className={styles.imprint}>{imprint}</p>}
          <div className={styles.sign} aria-hidden="true">
            <Wordmark {...shop()} large />
          </div>
        </div>
      </Wrap>
    </footer>
  )
}

const NOWHERE: NonNullable<FooterProps['social']> = []

interface FooterColumnProps {
  title: string
  links: readonly ShellLink[]
}

/** Collapsible on phones; from 768 px a heading with its list. */
function FooterColumn({ title, links }: FooterColumnProps) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  return (
    <div className={styles.column}>
      <h2 className={styles.title}>
        <span className={styles.plain}>{title}</span>
        <button
          type="button"
          className={styles.opener}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {title}
          <Icon of={CaretDownIcon} size={18} />
        </button>
      </h2>
      <LinkList
        id={listId}
        className={cx(styles.links, !open && styles.closed)}
        links={links}
        linkClassName={styles.link}
      />
    </div>
  )
}

export const Letter = ({ title, words, children }: { title: string; words: string; children: ReactNode }) => (
  <section className={styles.letter} aria-label={title} data-newsletter>
    <div>
      <Display as="h2" size="md">
        {title}
      </Display>
      <p className={styles.words}>{words}</p>
    </div>
    {children}
  </section>
)

/** Asks once, at the end of the page; afterwards it is a setting. */
export function ConsentLine() {
  const consent = useConsent((state) => state.consent)
  const answer = (given: Consent) => {
    giveConsent(given)
    announce(given === 'on' ? 'Counting is on. Thank you.' : 'Counting is off.')
  }
  return (
    <section className={styles.line} aria-label="Counting what people look at">
      {consent === undefined && (
        <>
          <p>
            May we count which books people look at? It helps us choose what to stock. No names, nothing
            shared, and nothing until you say yes.
          </p>
          <div className={styles.answers}>
            <Button look="quiet" onClick={() => answer('on')}>
              That’s fine
            </Button>
            <Button look="quiet" onClick={() => answer('off')}>
              No, thank you
            </Button>
          </div>
        </>
      )}
      {(consent === 'on' || consent === 'off') && (
        <Switch
          className={styles.setting}
          label="Count which books people look at"
          checked={consent === 'on'}
          onChange={(event) => answer(event.target.checked ? 'on' : 'off')}
        />
      )}
    </section>
  )
}
