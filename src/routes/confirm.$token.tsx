import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { NavLink } from '#app/menus/NavLink.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { ConfirmWithPassword } from '#features/account/ConfirmForms.tsx'
import { confirmAddress, undoEmailChange } from '#features/account/mutations.ts'
import { has, openLinks, shop } from '#features/shop-details/shop.ts'
import { reloadUser, hasToken } from '#session/session.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { type LinkOutcome, useConfirmLink } from '../writes/use-confirm-link.ts'
import { refusalMessage, useWrite } from '../writes/use-write.ts'
import styles from '#routes/-account/account.module.css'

export const Route = createFileRoute('/confirm/$token')({
  component: () => <ConfirmEmailScreen token={Route.useParams().token} />,
})

/**
 * For the email to an account's former address. Not a route of its own, because each route adds to the first
 * JavaScript.
 */
const UNDO = 'undo.'

function ConfirmEmailScreen({ token }: { token: string }) {
  return token.startsWith(UNDO) ? <UndoEmail token={token.slice(UNDO.length)} /> : <ByLink token={token} />
}

function ByLink({ token }: { token: string }) {
  const navigate = useNavigate()
  const { outcome: answer, confirmWithPassword } = useConfirmLink(token, confirmAddress)
  // With a session, the settings page says that it worked.
  const isIn = answer === 'confirmed' && hasToken()
  useEffect(() => {
    if (!isIn) return
    const goOn = () => void navigate({ to: '/settings', search: { confirmed: '1' }, replace: true })
    reloadUser().then(goOn, goOn)
  }, [isIn, navigate])

  const outcome = isIn ? undefined : answer
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
        {outcome === 'ask' && <ConfirmWithPassword confirm={confirmWithPassword} />}
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

const OVER =
  'This link has already been used, or it’s too old. If you can’t log in, please get in touch with us.'

/** The link in the email to an account's former address. It asks first, because it logs everyone out. */
function UndoEmail({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const { write, busy, refusal } = useWrite(() => undoEmailChange(token), {
    onSuccess: () => setDone(true),
    message: (problem) => refusalMessage(problem, OVER),
  })
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Put your email back" hidden />
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        {done ? 'Your email is back' : 'Put your email back?'}
      </Display>
      <p className={styles.lead} role="status">
        {done
          ? 'Check your email: we’ve sent you a link to choose a new password. Every device has been logged out.'
          : 'Your account gets this address back, every device is logged out, and you choose a new password.'}
      </p>
      <p role="alert">{refusal}</p>
      <p className={styles.ways}>
        {done ? (
          <LinkButton to="/forgot-password" look="quiet">
            Resend the email
          </LinkButton>
        ) : (
          <Button look="solid" busy={busy} onClick={() => void write()}>
            Put it back
          </Button>
        )}
      </p>
    </Wrap>
  )
}
