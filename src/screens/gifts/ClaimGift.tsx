import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { claimGift, giftQuery, type Found, type GiftKind } from '#features/gifts/claim.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { toast } from '#ui/toast.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { GiftProblem } from './GiftProblem.tsx'
import { GiftShown } from './GiftShown.tsx'
import { useClaimed } from '#features/gifts/use-claimed.ts'

/** The address of what was claimed (ACC-26). */
export const KINDS = {
  book: { to: '/library', words: 'Go to your library' },
  membership: { to: '/subscription-details', words: 'Your membership' },
} as const

/** Claims at once, since the link was pressed for that; a second visit finds it claimed and moves on. */
export function ClaimGift({ kind, token }: { kind: GiftKind; token: string }) {
  const navigate = useNavigate()
  const claimed = useClaimed()
  const gift = useQuery(giftQuery(kind, token))
  const [refusal, setRefusal] = useState('')
  const begun = useRef(false)
  const { to, words } = KINDS[kind]

  const claim = useEffectEvent(async (found: Found) => {
    try {
      toast(await claimed(await claimGift(found, token)))
      await navigate({ to, replace: true })
    } catch (problem) {
      const why = (problem instanceof NetProblem && problem.description) || MESSAGES.somethingWentWrong
      setRefusal(why)
      announce(why, 'assertive')
    }
  })
  useEffect(() => {
    if (!gift.data || begun.current) return
    begun.current = true
    void claim(gift.data)
  }, [gift.data])

  if (gift.data === undefined)
    return gift.isError ? (
      <GiftProblem problem={gift.error} busy={gift.isFetching} onRetry={() => void gift.refetch()} />
    ) : (
      <div aria-busy="true" />
    )
  if (gift.data === null) return <GiftProblem />
  return (
    <>
      <PageHead title="Your gift" hidden />
      <GiftShown
        found={gift.data}
        problem={refusal}
        ways={() =>
          refusal && (
            <LinkButton to={to} look="quiet" tone="title" tall>
              {words}
            </LinkButton>
          )
        }
      />
    </>
  )
}
