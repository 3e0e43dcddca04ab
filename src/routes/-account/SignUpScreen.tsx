import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { givenInWords } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { CheckMail } from '#features/account/ConfirmForms.tsx'
import { type GiftLink, openAfterJoining } from '#features/account/gift-link.ts'
import { claimPath } from '#features/account/gift-link.ts'
import { register } from '#features/account/mutations.ts'
import { RegisterForm } from '#features/account/RegisterForm.tsx'
import { type Found, giftQuery } from '#features/gifts/claim.ts'
import { openSession } from '#session/log-in.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { AnchorButton, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { shop } from '#features/shop-details/shop.ts'
import styles from './account.module.css'

interface SignUpScreenProps {
  gift: GiftLink
  /** Inside an app with its own frame: no links that leave it (ACC-07). */
  inApp?: boolean
}

export function SignUpScreen({ gift, inApp = false }: SignUpScreenProps) {
  const [registered, setRegistered] = useState<string>()
  const [joining, setJoining] = useState(false)
  const alreadyIn = useSession((state) => state.ready && state.status === 'user')
  const { email, token } = gift
  const shown = useQuery({
    ...giftQuery(gift.type === 'subscription' ? 'membership' : 'book', token ?? ''),
    enabled: email !== undefined && token !== undefined,
  })
  // The gift's link has confirmed the address, so open the gift.
  if (alreadyIn && !joining && (!registered || token)) return <AlreadyIn gift={gift} />

  const title = registered ? 'Check your email' : `Join ${shop().name}`
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg">
        {title}
      </Display>
      {registered ? (
        <CheckMail email={registered} onConfirmed={() => void reloadUser().catch(() => undefined)}>
          <p className={styles.ways}>
            {gift.email ? (
              <AnchorButton look="solid" href={claimPath(gift)}>
                Go to your gift
              </AnchorButton>
            ) : (
              <LinkButton to="/browse" look="solid">
                Browse the shelves
              </LinkButton>
            )}
          </p>
        </CheckMail>
      ) : (
        <>
          <p className={styles.lead}>
            {shown.data ? waitsWords(shown.data) : 'One account for your library, your places and your bag.'}
          </p>
          <RegisterForm
            giftEmail={email}
            firstName={shown.data?.kind === 'subscriptions' ? nameIn(shown.data.gift) : undefined}
            register={async (registration) => {
              setJoining(true)
              try {
                const pair = await register(registration, email && token)
                // Before the links are shown: the gift's page is another document, which would open as a visitor. The
                // account exists even if this device can't log in now.
                openAfterJoining(token)
                await openSession(pair).catch(() => undefined)
                setRegistered(registration.email)
              } finally {
                setJoining(false)
              }
            }}
            others={
              !inApp && (
                <Link to="/login" search={gift}>
                  I have an account
                </Link>
              )
            }
          />
        </>
      )}
    </Wrap>
  )
}

const nameIn = ({ giftRecipientFirstName }: MembershipGift): string | undefined =>
  giftRecipientFirstName ?? undefined

function waitsWords({ kind, gift }: Found): string {
  const what =
    kind === 'subscriptions'
      ? givenInWords(plans()[gift.plan], 'first')
      : ((gift.audioBook ?? gift.eBook)?.title ?? 'A book')
  return `${what} from ${gift.giverName} is waiting for you. Create an account to open it.`
}

/** ACC-14, ACC-39. */
function AlreadyIn({ gift }: { gift: GiftLink }) {
  const { history } = useRouter()
  const path = gift.email ? claimPath(gift) : undefined
  useEffect(() => {
    if (path) history.replace(path)
  }, [history, path])
  return path ? null : <Navigate to="/settings" replace />
}
