import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { confirmAddress } from '#features/account/mutations.ts'
import { reloadUser } from '#session/changes.ts'
import { hasToken } from '#session/session.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { NavLink } from '../app/shell/NavLink.tsx'
import styles from './-AccountScreen.module.css'

export const Route = createFileRoute('/confirm/$token')({ component: ConfirmScreen })

/** The link of the mail. It confirms by a POST of its own, so that a scanner that only looks changes nothing. */
function ConfirmScreen() {
  const { token } = Route.useParams()
  const navigate = useNavigate()
  const [outcome, setOutcome] = useState<'confirmed' | 'failed'>()

  useEffect(() => {
    let left = false
    void confirmed(token).then((ok) => {
      if (left) return
      if (ok && hasToken()) void navigate({ to: '/settings', search: { confirmed: '1' }, replace: true })
      else setOutcome(ok ? 'confirmed' : 'failed')
    })
    return () => {
      left = true
    }
  }, [token, navigate])

  const title = outcome === 'confirmed' ? 'Welcome' : outcome ? 'Not confirmed' : 'Confirming your address'
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        {title}
      </Display>
      <div aria-busy={!outcome} aria-live="polite">
        {outcome === 'confirmed' && <Welcome />}
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

async function confirmed(token: string): Promise<boolean> {
  try {
    await confirmAddress(token)
  } catch {
    return false
  }
  if (hasToken()) await reloadUser().catch(() => undefined)
  return true
}

/** ACC-24. */
const Welcome = () => (
  <>
    <p className={styles.lead}>Your address is confirmed. This is where to begin:</p>
    <ul className={styles.doors}>
      <li>
        <Link to="/audiobooks">Audiobooks</Link>
      </li>
      <li>
        <NavLink to="/subscriber-selection">Current highlights</NavLink>
      </li>
      <li>
        <NavLink to="/editions">Editions</NavLink>
      </li>
      <li>
        <Link to="/murmurations">Murmurations</Link>
      </li>
      <li>
        <NavLink to="/subscription">Membership</NavLink>
      </li>
    </ul>
    <p className={styles.ways}>
      <LinkButton to="/login" look="solid">
        Log in
      </LinkButton>
    </p>
  </>
)
