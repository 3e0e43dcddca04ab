import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { User } from '#contract/account.ts'
import { MESSAGES } from '#contract/messages.ts'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { claimGift, giftQuery, waitingGiftsQuery } from '#features/gifts/claim.ts'
import { GiftNote } from '#features/gifts/GiftNote.tsx'
import { OpenedGift } from '#features/gifts/OpenedGift.tsx'
import { NetProblem } from '#net/problem.ts'
import { logOut } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { toast } from '#ui/toast.ts'
import { PageHead } from '#app/PageHead.tsx'
import { Outcome } from '../layout/Outcome.tsx'

interface GetBookScreenProps {
  email?: string | undefined
  token?: string | undefined
}

/** Where the mail of a gift leads: the account with the gift's address claims it (ACC-25 to ACC-27). */
export function GetBookScreen({ email = '', token }: GetBookScreenProps) {
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => state.user)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready || (signedIn && !user)) return <div aria-busy="true" />
  if (!user)
    return token ? <ForAVisitor email={email} token={token} /> : <ToLogIn email={email} token={token} />
  if (email !== '' && user.email.toLowerCase() !== email.toLowerCase())
    return <ForAnotherAddress email={email} token={token} user={user} />
  if (!token) return <Navigate to="/library" replace />
  return <Claim token={token} />
}

/** Who gets a gift sees it before anything is asked of them: who gave it, the book, and the giver's words. */
function ForAVisitor({ email, token }: { email: string; token: string }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  const gift = useQuery(giftQuery(token))
  if (gift.data === null) return <NotFoundGift />
  if (gift.isError) return <Unreachable busy={gift.isFetching} onRetry={() => void gift.refetch()} />
  const entry = gift.data
  const book = entry && (entry.gift.audioBook ?? entry.gift.eBook)
  if (!entry || !book) return <div aria-busy="true" />
  const { giverName, giftMessage, giftEmail, claimedAt } = entry.gift
  const search = { ...(email ? { email } : {}), token }
  const narrators = narratorsOf(book)
  return (
    <>
      <PageHead title="Your gift" hidden />
      <OpenedGift
        theme={themeOf(book)}
        cover={
          <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 768px) 460px, 58vw" hero />
        }
        giver={giverName}
        title={book.title}
        note={giftMessage}
        facts={[
          `${[authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')}. ${lengthOf(book).replaceAll(' ', '\u00a0')}`,
          claimedAt ? 'This gift has already been claimed' : 'Yours to keep. No card, nothing to pay',
        ]}
        ways={
          <>
            {!claimedAt && (
              <LinkButton to="/sign-up" search={search} look="beak" tone="title" tall>
                Create an account to keep it
              </LinkButton>
            )}
            <LinkButton to="/login" search={{ from, ...search }} look="quiet" tone="title" tall>
              I have an account
            </LinkButton>
          </>
        }
        small={`For ${giftEmail}. Not your address? Ask ${giverName || 'whoever gave it'} to get in touch with us.`}
      />
    </>
  )
}

const Unreachable = ({ busy, onRetry }: { busy: boolean; onRetry: () => void }) => (
  <Outcome
    name="Your gift"
    title="We can’t open your gift just now."
    words="It’s still there for you. Please try again in a moment."
    ways={
      <Button look="solid" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    }
  />
)

const NotFoundGift = () => (
  <Outcome
    name="Your gift"
    title="We can’t find this gift."
    words="The link may be incomplete, or the gift was taken back. You can also enter the code from the same email in your library."
    ways={
      <LinkButton to="/info/$slug" params={{ slug: 'support' }} look="solid">
        Ask for help
      </LinkButton>
    }
  />
)

/** ACC-25. The address is read once: during the navigation it is already the next page's. */
function ToLogIn({ email, token }: { email: string; token: string | undefined }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  useEffect(() => {
    const search = { from, ...(email ? { email } : {}), ...(token ? { token } : {}) }
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, from, email, token])
  return null
}

/** Gifts to an earlier, confirmed address of this account can still be claimed. */
function ForAnotherAddress({ email, token, user }: { email: string; token: string | undefined; user: User }) {
  const waiting = useQuery(waitingGiftsQuery(user.uuid))
  if (waiting.isPending) return <div aria-busy="true" />
  const isMine = waiting.data?.['hydra:member'].some(
    ({ giftEmail }) => giftEmail.toLowerCase() === email.toLowerCase(),
  )
  if (!isMine) return <ForSomebodyElse email={email} token={token} mine={user.email} />
  return token ? <Claim token={token} /> : <Navigate to="/library" replace />
}

/** ACC-27. Whoever is here may be somebody else on a shared device: logging out leads to the log-in of the gift. */
function ForSomebodyElse({ email, token, mine }: { email: string; token: string | undefined; mine: string }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    const from = router.state.location.href
    await logOut()
    await router.navigate({ to: '/login', search: { from, email, ...(token ? { token } : {}) } })
  }
  return (
    <Outcome
      name="Your gift"
      title="This gift was sent to a different address."
      words={`You’re logged in as ${mine}. Please log in or register with ${email}, the address it was sent to.`}
      ways={
        <Button look="beak" busy={busy} onClick={() => void change()}>
          Use another account
        </Button>
      }
    />
  )
}

/** Claims at once, since the link was pressed for that; a second visit finds it claimed and moves on. */
function Claim({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const gift = useQuery(giftQuery(token))
  const [refusal, setRefusal] = useState('')
  const begun = useRef(false)
  const entry = gift.data

  useEffect(() => {
    if (!entry || begun.current) return
    begun.current = true
    claimGift(entry.kind, token).then(
      async () => {
        await queryClient.invalidateQueries({ queryKey: ['own', owner] })
        const title = entry.gift.audioBook?.title ?? entry.gift.eBook?.title ?? 'Your gift'
        toast(`${title} is in your library.`)
        await navigate({ to: '/library', replace: true })
      },
      (problem: unknown) => {
        const words = (problem instanceof NetProblem && problem.description) || MESSAGES.somethingWentWrong
        setRefusal(words)
        announce(words, 'assertive')
      },
    )
  }, [entry, token, owner, queryClient, navigate])

  if (gift.data === null) return <NotFoundGift />
  if (gift.isError) return <Unreachable busy={gift.isFetching} onRetry={() => void gift.refetch()} />
  const book = entry && (entry.gift.audioBook ?? entry.gift.eBook)
  return (
    <Outcome
      name="Your gift"
      title={refusal ? 'We couldn’t claim this gift.' : 'Unwrapping your gift'}
      words={refusal || 'One moment.'}
      waiting={!refusal}
      ways={
        refusal && (
          <LinkButton to="/library" look="solid">
            Go to your library
          </LinkButton>
        )
      }
    >
      {entry && book && <GiftNote gift={entry.gift} picture={coverOf(book)} />}
    </Outcome>
  )
}
