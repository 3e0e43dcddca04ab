import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { claimGift, giftQuery } from '#features/gifts/claim.ts'
import { GiftNote } from '#features/gifts/GiftNote.tsx'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { toast } from '#ui/toast.ts'
import { Outcome } from './-Outcome.tsx'
import { useLogInFirst } from './-use-log-in-first.ts'

interface GetBookScreenProps {
  email?: string
  token?: string
}

/** Where the mail of a gift leads: the account with the gift's address claims it (ACC-25 to ACC-27). */
export function GetBookScreen({ email = '', token }: GetBookScreenProps) {
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => state.user)
  const signedIn = useSession((state) => state.status === 'user')
  const href = useRouterState({ select: ({ location }) => location.href })
  if (!ready || (signedIn && !user)) return <div aria-busy="true" />
  if (!user) return <Navigate to="/login" search={{ from: href }} replace />
  if (email !== '' && user.email.toLowerCase() !== email.toLowerCase())
    return <ForSomebodyElse email={email} mine={user.email} />
  if (!token) return <Navigate to="/library" replace />
  return <Claim token={token} />
}

function ForSomebodyElse({ email, mine }: { email: string; mine: string }) {
  const logIn = useLogInFirst()
  return (
    <Outcome
      name="Your gift"
      title="This gift is for another address."
      words={`You are logged in as ${mine}. Please log in or register with ${email}, the address that it was sent to.`}
      ways={
        <>
          <Button look="beak" onClick={logIn}>
            Log in
          </Button>
          <LinkButton to="/sign-up" search={{ email } as never} look="quiet">
            Register
          </LinkButton>
        </>
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
