import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { confirmByLink, type LinkOutcome } from '#features/account/confirm-by-link.ts'
import { ConfirmWithPassword } from '#features/account/ConfirmWithPassword.tsx'
import { confirmAddress } from '#features/account/mutations.ts'
import { reloadUser } from '#session/changes.ts'
import { hasToken } from '#session/session.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './details.module.css'

/** For a confirmation link that leads to the plans: says above them whether it worked (MEMB-13, ERR-17). */
export function ConfirmOnArrival({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<LinkOutcome>()
  useEffect(() => {
    let left = false
    void confirmByLink(token).then(async (became) => {
      if (became === 'confirmed' && hasToken()) await reloadUser().catch(() => undefined)
      if (!left) setOutcome(became)
    })
    return () => {
      left = true
    }
  }, [token])

  return (
    <Wrap className={outcome && styles.said}>
      <p role="status">{outcome === 'confirmed' && 'Thank you. Your address is confirmed.'}</p>
      {outcome === 'ask' && (
        <ConfirmWithPassword
          confirm={async (password) => {
            await confirmAddress(token, password)
            setOutcome('confirmed')
          }}
        />
      )}
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
