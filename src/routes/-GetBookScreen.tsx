import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { claimGift, giftQuery } from '#features/gifts/claim.ts'
import { GiftNote } from '#features/gifts/GiftNote.tsx'
import { NetProblem } from '#net/problem.ts'
import { logOut } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { toast } from '#ui/toast.ts'
import { Outcome } from './-Outcome.tsx'

interface GetBookScreenProps {
  email?: string
  token?: string
}

/** Where the mail of a gift leads: the account with the gift's address claims it (ACC-25 to ACC-27). */
export function GetBookScreen({ email = '', token }: GetBookScreenProps) {
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => state.user)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready || (signedIn && !user)) return <div aria-busy="true" />
  if (!user) return <ToLogIn email={email} token={token} />
  if (email !== '' && user.email.toLowerCase() !== email.toLowerCase())
    return <ForSomebodyElse email={email} mine={user.email} />
  if (!token) return <Navigate to="/library" replace />
  return <Claim token={token} />
}

/** ACC-25. The address is asked for once: while the other page is on its way it is that page's already. */
function ToLogIn({ email, token }: { email: string; token: string | undefined }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  useEffect(() => {
    const search = { from, ...(email ? { email } : {}), ...(token ? { token } : {}) }
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, from, email, token])
  return null
}

/** ACC-27. Whoever is here may be somebody else on a shared device: logging out leads to the log-in of the gift. */
function ForSomebodyElse({ email, mine }: { email: string; mine: string }) {
  const [busy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    await logOut()
  }
  return (
    <Outcome
      name="Your gift"
      title="This gift is for another address."
      words={`You are logged in as ${mine}. Please log in or register with ${email}, the address that it was sent to.`}
      ways={
        <Button look="beak" busy={busy} onClick={() => void change()}>
          Use another account
        </Button>
      }
    />
  )
}

/** Claims at once, as the press on the mail's link asked; a second visit finds it claimed, and leads on. */
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

  if (gift.data === null || gift.isError)
    return (
      <Outcome
        name="Your gift"
        title="We can’t find this gift."
        words="The link may be cut short, or the gift was taken back. The mail has a code to type, too."
        ways={
          <LinkButton to="/info/$slug" params={{ slug: 'support' }} look="solid">
            Ask for help
          </LinkButton>
        }
      />
    )
  const book = entry && (entry.gift.audioBook ?? entry.gift.eBook)
  return (
    <Outcome
      name="Your gift"
      title={refusal ? 'This gift could not be claimed.' : 'Unwrapping your gift'}
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
