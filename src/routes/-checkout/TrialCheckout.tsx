import { useQuery } from '@tanstack/react-query'
import { planPriceQuery } from '#features/discounts/codes.ts'
import { couponCode } from '#contract/limits.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { trial } from '#features/shop-details/plans.ts'
import { useNow } from '#ui/use-now.ts'
import { MembershipCheckout } from './MembershipCheckout.tsx'
import styles from './checkout.module.css'
import { planPurchase, trialPurchase } from '#features/checkout/purchases.ts'
import { PlanSummary } from './summaries.tsx'

/**
 * The trial: plan 4 at no charge. With a code it is the promotion; an invalid code turns it into plan 4 at
 * its price (OP-03).
 */
export function TrialCheckout({ search }: { search: { readonly code?: unknown } }) {
  const code = typeof search.code === 'string' ? couponCode(search.code).slice(0, 64) || undefined : undefined
  const { plan } = trial()
  const now = useNow()
  const query = useQuery({ ...planPriceQuery(code ?? '', plan), enabled: code !== undefined })
  const known = code === undefined || !query.isPending
  // The check of the code failed, so the code is neither accepted nor refused.
  const unheard = query.isError && !isAnswer(query.error)
  const refused = code !== undefined && known && !unheard && query.data?.valid !== true
  const full = planPurchase({ plan, discount: undefined, code: null, blocked: undefined })
  return (
    <MembershipCheckout
      name="Free trial"
      purchase={
        known
          ? refused
            ? full
            : trialPurchase(unheard ? 'We haven’t checked your code yet.' : undefined, code ?? null, now)
          : undefined
      }
      notice={
        code !== undefined &&
        known &&
        (unheard ? (
          <div className={styles.unreachable} role="alert">
            <p>We couldn’t check your code {code}. Check your connection and try again.</p>
            <Button look="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          </div>
        ) : (
          <p
            className={styles.promotion}
            role={refused ? 'alert' : 'status'}
            data-refused={refused ? '' : undefined}
          >
            {refused
              ? 'No discount applied! Full price will be charged!'
              : 'Rest assured no payment will be taken for the first month.'}
          </p>
        ))
      }
      logIn={code === undefined}
      summary={<PlanSummary plan={plan} trial={!refused} />}
    />
  )
}

const isAnswer = (problem: unknown): boolean =>
  problem instanceof NetProblem && problem.kind === 'refused' && problem.status !== 429
