import { Navigate } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/PageHead.tsx'
import styles from './AccountScreen.module.css'

/** The booksellers' desk (SESS-06, SESS-07). Cards are activated here with the redemption flow. */
export function ActivationScreen() {
  const { ready, status, user } = useSession()
  if (ready && status !== 'user') return <Navigate to="/reseller" replace />
  // Waits until the server has said whose account it is.
  if (!user) return <div aria-busy="true" />
  if (!user.outlet) return <Navigate to="/" replace />
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Activate card" hidden />
      <Display as="h1" size="lg">
        Activate card
      </Display>
      <p className={styles.lead}>
        Welcome, {user.outlet.name}. You can’t activate cards here yet: this desk opens together with the page
        where your customers redeem them.
      </p>
      <p className={styles.ways}>
        <LinkButton to="/reseller" look="solid">
          About selling cards
        </LinkButton>
      </p>
    </Wrap>
  )
}
