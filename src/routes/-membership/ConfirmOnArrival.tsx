import { Link } from '@tanstack/react-router'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { ConfirmWithPassword } from '#features/account/ConfirmWithPassword.tsx'
import { confirmAddress } from '#features/account/mutations.ts'
import { reloadUser } from '#session/changes.ts'
import { hasToken } from '#session/session.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { useConfirmLink } from '#writes/use-confirm-link.ts'
import styles from './details.module.css'

/** For a confirmation link that leads to the plans: says above them whether it worked (MEMB-13, ERR-17). */
export function ConfirmOnArrival({ token }: { token: string }) {
  const { outcome, confirmWithPassword } = useConfirmLink(token, async (link, password) => {
    await confirmAddress(link, password)
    if (hasToken()) await reloadUser().catch(() => undefined)
  })
  return (
    <Wrap className={outcome && styles.said}>
      <p role="status">{outcome === 'confirmed' && 'Thank you. Your address is confirmed.'}</p>
      {outcome === 'ask' && <ConfirmWithPassword confirm={confirmWithPassword} />}
      {outcome === 'failed' && (
        <p role="alert">
          {ACCOUNT_MESSAGES.confirmationFailedOnMembership}{' '}
          <Link to="/info/$slug" params={{ slug: 'support' }}>
            Contact support
          </Link>
        </p>
      )}
    </Wrap>
  )
}
