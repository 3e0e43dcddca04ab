import { useQuery } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ownKey } from '#features/query-keys.ts'
import type { User } from '#contract/account.ts'
import {
  giftQuery,
  waitingGiftsQuery,
  waitingMembershipsQuery,
  type GiftKind,
} from '#features/gifts/claim.ts'
import { reloadUser } from '#session/changes.ts'
import { logOut } from '#session/log-out.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useWrite } from '../../writes/use-write.ts'
import { Outcome } from '#routes/-layout/Outcome.tsx'
import { ClaimGift, KINDS } from './ClaimGift.tsx'
import { GiftProblem } from './GiftProblem.tsx'
import { GiftShown } from './GiftShown.tsx'

interface OpenGiftScreenProps {
  kind: GiftKind
  email?: string | undefined
  token?: string | undefined
  /** The id of one of the user's unclaimed gifts. */
  gift?: string | undefined
}

/** The mail of a gift leads here: the account with the gift's address claims it (ACC-25 to ACC-27). */
export function OpenGiftScreen({ kind, email = '', token, gift }: OpenGiftScreenProps) {
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => state.user)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (signedIn && !user) return <WhoIsHere />
  const link = { kind, email, token, gift }
  if (!user) return token ? <ForAVisitor {...link} token={token} /> : <ToLogIn {...link} />
  if (email !== '' && user.email.toLowerCase() !== email.toLowerCase())
    return <ForAnotherAddress {...link} user={user} />
  return <Mine {...link} />
}

/** Somebody is logged in, and the shop has not said yet whose addresses they have; where it cannot, it is asked again. */
function WhoIsHere() {
  const owner = useSession((state) => state.owner?.uuid)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ownKey(owner, 'who-is-here'),
    queryFn: () => reloadUser().then(() => true),
    networkMode: 'always',
    gcTime: 0,
  })
  if (!error) return <div aria-busy="true" />
  return <GiftProblem problem={error} busy={isFetching} onRetry={() => void refetch()} />
}

interface Link {
  readonly kind: GiftKind
  readonly email: string
  readonly token: string | undefined
  readonly gift?: string | undefined
}

const Mine = ({ kind, token, gift }: Link) =>
  token || gift ? (
    <ClaimGift kind={kind} token={token} waiting={gift} />
  ) : (
    <Navigate to={KINDS[kind].to} replace />
  )

/** Carried on through log-in and sign-up (OP-21). */
const carried = ({ kind, email, token }: Link) => ({
  ...(email ? { email } : {}),
  ...(token ? { token } : {}),
  ...(kind === 'membership' ? { type: 'subscription' } : {}),
})

/** The recipient sees a gift before anything is asked of them: who gave it, what it is, and the giver's words. */
function ForAVisitor(link: Link & { token: string }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  const gift = useQuery(giftQuery(link.kind, link.token))
  if (gift.data === undefined)
    return gift.isError ? (
      <GiftProblem problem={gift.error} busy={gift.isFetching} onRetry={() => void gift.refetch()} />
    ) : (
      <div aria-busy="true" />
    )
  if (gift.data === null) return <GiftProblem />
  const search = carried(link)
  return (
    <>
      <PageHead title="Your gift" hidden />
      <GiftShown
        found={gift.data}
        ways={(claimed) => (
          <>
            {!claimed && (
              <LinkButton to="/sign-up" search={search} look="beak" tone="title" tall>
                Create an account to keep it
              </LinkButton>
            )}
            <LinkButton to="/login" search={{ from, ...search }} look="quiet" tone="title" tall>
              I have an account
            </LinkButton>
          </>
        )}
      />
    </>
  )
}

/** ACC-25. The address is read once: during the navigation it is already the next page's. */
function ToLogIn({ kind, email, token }: Link) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  useEffect(() => {
    const search = { from, ...carried({ kind, email, token }) }
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, from, kind, email, token])
  return null
}

/** Gifts to an earlier, confirmed address of this account can still be claimed. */
function ForAnotherAddress({ user, ...link }: Link & { user: User }) {
  const books = useQuery({ ...waitingGiftsQuery(user.uuid), enabled: link.kind === 'book' })
  const memberships = useQuery({
    ...waitingMembershipsQuery(user.uuid),
    enabled: link.kind === 'membership',
  })
  const waiting = link.kind === 'book' ? books : memberships
  if (waiting.isPending) return <div aria-busy="true" />
  if (waiting.isError && !waiting.data)
    return (
      <GiftProblem problem={waiting.error} busy={waiting.isFetching} onRetry={() => void waiting.refetch()} />
    )
  const addresses = waiting.data?.['hydra:member'].map(({ giftEmail }) => giftEmail.toLowerCase())
  return addresses?.includes(link.email.toLowerCase()) ? (
    <Mine {...link} />
  ) : (
    <ForSomebodyElse {...link} mine={user.email} />
  )
}

/** ACC-27. The person here may be somebody else on a shared device: logging out leads to the log-in of the gift. */
function ForSomebodyElse({ mine, ...link }: Link & { mine: string }) {
  const router = useRouter()
  const { write, busy } = useWrite(async () => {
    const from = router.state.location.href
    await logOut()
    await router.navigate({ to: '/login', search: { from, ...carried(link) } })
  })
  return (
    <Outcome
      name="Your gift"
      title="This gift was sent to a different address."
      words={`You’re logged in as ${mine}. Please log in or register with ${link.email}, the address it was sent to.`}
      ways={
        <Button look="beak" busy={busy} onClick={() => void write()}>
          Use another account
        </Button>
      }
    />
  )
}
