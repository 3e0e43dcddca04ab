import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { joinedToOpen } from '#features/account/gift-link.ts'
import { claimFound, giftQuery, waitingGiftQuery, type Found, type GiftKind } from '#features/gifts/claim.ts'
import { useClaimed } from '#features/gifts/use-claimed.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { serverMessage, useWrite } from '#writes/use-write.ts'
import { GiftProblem } from './GiftProblem.tsx'
import { GiftShown } from './GiftShown.tsx'

/** The address of what was claimed (ACC-26). */
export const KINDS = {
  book: { to: '/library', words: 'Go to your library' },
  membership: { to: '/subscription-details', words: 'Your membership' },
} as const

interface ClaimGiftProps {
  kind: GiftKind
  /** From the link in the email. */
  token?: string | undefined
  /** Or the id of one of the user's unclaimed gifts. */
  waiting?: string | undefined
}

/** Shows the gift to its recipient. Nothing is claimed until they press the button. */
export function ClaimGift({ kind, token, waiting }: ClaimGiftProps) {
  const navigate = useNavigate()
  const claimed = useClaimed()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const isMember = useSession((state) => state.user?.currentSubscription != null)
  const gift = useQuery(
    token === undefined ? waitingGiftQuery(kind, owner, waiting ?? '') : giftQuery(kind, token),
  )
  const { to, words } = KINDS[kind]

  const {
    write: claim,
    busy,
    refusal,
  } = useWrite(async (found: Found) => claimed(await claimFound(found, token)), {
    async onSuccess(message) {
      toast(message)
      await navigate({ to, replace: true })
    },
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  const claimOnceJoined = useEffectEvent((found: Found) => {
    if (joinedToOpen(token)) void claim(found)
  })
  useEffect(() => {
    if (gift.data) claimOnceJoined(gift.data)
  }, [gift.data])

  if (gift.data === undefined)
    return gift.isError ? (
      <GiftProblem problem={gift.error} busy={gift.isFetching} onRetry={() => void gift.refetch()} />
    ) : (
      <div aria-busy="true" />
    )
  if (gift.data === null) return <GiftProblem />
  const found = gift.data
  return (
    <>
      <PageHead title="Your gift" hidden />
      <GiftShown
        found={found}
        problem={refusal}
        waits={kind === 'membership' && isMember}
        ways={(isClaimed) => (
          <>
            {!isClaimed && (
              <Button look="beak" tone="title" tall busy={busy} onClick={() => void claim(found)}>
                {kind === 'book' ? 'Add it to my library' : isMember ? 'Keep it for later' : 'Begin'}
              </Button>
            )}
            {(isClaimed || refusal) && (
              <LinkButton to={to} look="quiet" tone="title" tall>
                {words}
              </LinkButton>
            )}
          </>
        )}
      />
    </>
  )
}
