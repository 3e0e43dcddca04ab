import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { ChangePlan } from '#features/membership/ChangePlan.tsx'
import { CancelMembership, LeavingQuestion, Withdraw } from '#features/membership/Leaving.tsx'
import { NextPayment } from '#features/membership/MembershipState.tsx'
import { membershipInWords } from '#features/membership/model.ts'
import { ownMembershipQuery } from '#features/membership/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { has } from '#features/shop-details/shop.ts'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { useBand, Band } from '#ui/Band.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { CannotLoad, Empty } from '#ui/Empty.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import {
  GiftCode,
  useWaitingMemberships,
  useWaitingQuery,
  WaitingMemberships,
} from '#routes/-gifts/WaitingGifts.tsx'
import { isComing } from '#features/query-options.ts'
import styles from './membership.module.css'
import { type Asked, MembershipPayments, YourMembership } from './YourMembership.tsx'
import { owedRefundsQuery } from '#features/orders/queries.ts'

/**
 * The current membership: next payment, credits, past payments, and the actions to change and end it
 * (MEMB-27).
 */
export function SubscriptionDetailsScreen() {
  useBand(HOUSE)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const queryClient = useQueryClient()
  const query = useQuery({ ...ownMembershipQuery(owner), enabled: owner !== '' })
  // Wait for both queries and render once, so that nothing shifts.
  const waiting = useWaitingQuery()
  const isDrawn = query.isFetched && !isComing(waiting)
  const [asked, setAsked] = useState<Asked>()
  const told = useRouterState({ select: ({ location }) => location.state.done })
  /** The message about the last action, here or at the checkout, shown above the rest. */
  const [done, setDone] = useState<{ words: string; ended?: string } | undefined>(
    told ? { words: told } : undefined,
  )
  const details = isDrawn ? query.data?.details : undefined
  const said = useRef<HTMLDivElement>(null)
  /**
   * The pressed button is gone, or soon will be. After the dialog has returned the focus to it, move the
   * focus to the message, which the browser scrolls clear of the header.
   */
  useEffect(() => {
    if (!done || !isDrawn) return undefined
    const frame = requestAnimationFrame(() => said.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [done, isDrawn])

  const ask = (question: Asked) => {
    setDone(undefined)
    setAsked(question)
  }
  /** @param ended the id of the membership that has ended */
  const after = async (words: string, ended?: string) => {
    setDone({ words, ...(ended && { ended }) })
    setAsked(undefined)
    announce(words)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ownKey(owner) }),
      reloadUser().catch(() => undefined),
    ])
  }
  return (
    <>
      <PageHead title="Your membership" hidden />
      <Band theme={HOUSE} as="div" className={styles.band}>
        <Wrap className={styles.top}>
          <Display as="h1" size="lg">
            Your membership
          </Display>
          <p className={styles.plan}>
            {details ? membershipInWords(details) : isDrawn && query.data ? 'No membership' : '\u00A0'}
          </p>
          {details && <NextPayment details={details} />}
        </Wrap>
      </Band>
      {isDrawn ? (
        <Wrap key="drawn" className={styles.page}>
          {done && (
            <div ref={said} className={styles.done} tabIndex={-1}>
              <p>{done.words}</p>
              {done.ended && <LeavingQuestion id={done.ended} />}
            </div>
          )}
          <StillSending owner={owner} className={styles.done} />
          <WaitingMemberships />
          {details ? (
            <YourMembership
              details={details}
              invoices={query.data?.invoices ?? []}
              onAsk={ask}
              onDone={after}
            />
          ) : query.data ? (
            <>
              <NoMembership ended={query.data.last?.details.endedUnpaid ?? null} />
              {query.data.last && (
                <div className={styles.two}>
                  <MembershipPayments {...query.data.last} />
                </div>
              )}
            </>
          ) : (
            <CannotLoad
              title="We can’t load your membership just now."
              help="Check your connection and try again. Nothing about it has changed."
              busy={query.isFetching}
              onRetry={() => query.refetch()}
            />
          )}
          <div>
            <LinkButton to="/gifts" search={{}} look="text">
              Gifts you’ve sent
            </LinkButton>
          </div>
          <GiftCode />
        </Wrap>
      ) : (
        <Wrap key="waiting" className={styles.waiting} aria-busy="true">
          <Skeleton height="560px" />
        </Wrap>
      )}
      {details && asked === 'cancel' && (
        <CancelMembership
          details={details}
          onClose={() => setAsked(undefined)}
          onCancelled={() =>
            after('Your membership is cancelled. Nothing more will be charged.', details.subscription.id)
          }
        />
      )}
      {details && asked === 'withdraw' && (
        <Withdraw
          details={details}
          onClose={() => setAsked(undefined)}
          onOutdated={() => queryClient.invalidateQueries({ queryKey: ownKey(owner) })}
          onWithdrawn={() =>
            after(
              details.subscription.gift
                ? 'You’ve handed your gift back. Whoever gave it gets their money back.'
                : `Your membership is cancelled, and ${amount(toMinor(details.withdrawal?.amount ?? 0))} is on its way back to you.`,
              details.subscription.id,
            )
          }
        />
      )}
      {details && (asked === 'change' || asked === 'change-again') && (
        <ChangePlan
          owner={owner}
          membership={details.subscription}
          wanted={(asked === 'change-again' && details.droppedPlan?.plan) || details.subscription.plan}
          onClose={() => setAsked(undefined)}
          onChanged={(words) => void after(words)}
        />
      )}
    </>
  )
}

function NoMembership({ ended }: { ended: SubscriptionDetails['endedUnpaid'] }) {
  // Only one main action: an unclaimed gift comes first.
  const isGiven = useWaitingMemberships().some(({ state }) => state === 'unclaimed')
  return (
    <Empty
      title="You’re not a member just now."
      help={
        ended
          ? `Your payment of ${longDate(ended.failedAt)} didn’t go through, so your membership ended on ${longDate(ended.at)}. You owe us nothing.`
          : `Your library stays yours either way.${has('membership') ? ' Members pay less and choose free audiobooks.' : ''}`
      }
      action={
        has('membership') && (
          <LinkButton to="/subscription/{-$token}" look={isGiven ? 'quiet' : 'beak'}>
            See the plans
          </LinkButton>
        )
      }
    />
  )
}

interface StillSendingProps {
  owner: string
  className?: string | undefined
}

function StillSending({ owner, className }: StillSendingProps) {
  const { data } = useQuery({ ...owedRefundsQuery(owner), enabled: owner !== '' })
  const owed = data?.['hydra:member'] ?? []
  if (owed.length === 0) return null
  return (
    <div className={className}>
      {owed.map(({ id, amount: pounds, orderNumber }) => (
        <p key={id}>
          We’re still sending it: {amount(toMinor(pounds))} of your order {orderNumber}. It hasn’t gone
          through yet, so we’ll keep trying. There’s nothing you need to do.
        </p>
      ))}
    </div>
  )
}
