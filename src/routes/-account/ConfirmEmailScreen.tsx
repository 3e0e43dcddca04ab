import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { confirmByLink, type LinkOutcome } from '#features/account/confirm-by-link.ts'
import { ConfirmWithPassword } from '#features/account/ConfirmWithPassword.tsx'
import { confirmAddress } from '#features/account/mutations.ts'
import { reloadUser } from '#session/changes.ts'
import { hasToken } from '#session/session.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { NavLink } from '#app/menus/NavLink.tsx'
import { has, openLinks, shop } from '#features/shop-details/shop.ts'
import styles from './account.module.css'
import { UndoEmail } from './UndoEmail.tsx'

/** For the mail to an account's former address. Not a route of its own, since every route adds to the first view. */
const UNDO = 'undo.'

export function ConfirmEmailScreen({ token }: { token: string }) {
  return token.startsWith(UNDO) ? <UndoEmail token={token.slice(UNDO.length)} /> : <ByLink token={token} />
}

/** The mail's link. It confirms with a POST, so that a mail scanner that follows links changes nothing. */
function ByLink({ token }: { token: string }) {
  const navigate = useNavigate()
  const [outcome, setOutcome] = useState<LinkOutcome>()

  useEffect(() => {
    let left = false
    void confirmByLink(token).then(async (became) => {
      const isIn = became === 'confirmed' && hasToken()
      if (isIn) await reloadUser().catch(() => undefined)
      if (left) return
      if (isIn) void navigate({ to: '/settings', search: { confirmed: '1' }, replace: true })
      else setOutcome(became)
    })
    return () => {
      left = true
    }
  }, [token, navigate])

  const title = TITLES[outcome ?? 'asking']
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        {title}
      </Display>
      <div aria-busy={!outcome} aria-live="polite">
        {outcome === 'confirmed' && <Welcome />}
        {outcome === 'ask' && (
          <ConfirmWithPassword
            confirm={async (password) => {
              await confirmAddress(token, password)
              setOutcome('confirmed')
            }}
          />
        )}
        {outcome === 'failed' && (
          <p className={styles.lead}>
            {ACCOUNT_MESSAGES.confirmationFailed}.{' '}
            <Link to="/info/$slug" params={{ slug: 'support' }}>
              Get in touch
            </Link>
          </p>
        )}
      </div>
    </Wrap>
  )
}

const TITLES: Readonly<Record<LinkOutcome | 'asking', string>> = {
  asking: 'Confirming your email',
  ask: 'Confirm your email',
  confirmed: 'Welcome',
  failed: 'Not confirmed',
}

const doors = () => [
  { to: '/audiobooks', words: 'Audiobooks' },
  ...(has('audiobooks') ? [] : [{ to: '/ebooks', words: 'E-books' }]),
  { to: '/subscriber-selection', words: 'Current highlights' },
  { to: '/editions', words: 'Editions' },
  { to: '/murmurations', words: shop().journal },
  { to: '/subscription', words: 'Membership' },
]

/** ACC-24. */
const Welcome = () => (
  <>
    <p className={styles.lead}>Your address is confirmed. Here’s where to start:</p>
    <ul className={styles.doors}>
      {openLinks(doors()).map(({ to, words }) => (
        <li key={to}>
          <NavLink to={to}>{words}</NavLink>
        </li>
      ))}
    </ul>
    <p className={styles.ways}>
      <LinkButton to="/login" look="solid">
        Log in
      </LinkButton>
    </p>
  </>
)
