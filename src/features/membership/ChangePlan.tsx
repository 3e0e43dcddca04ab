import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownKey } from '#features/query-keys.ts'
import type { ChangePreview } from '#contract/membership-changes.ts'
import { isJoined, type Plan, type PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { dayAndMonth } from '#format/date.ts'
import { amount, price, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { serverMessage, somethingWentWrong, useWrite } from '#writes/use-write.ts'
import { BillingToggle } from './PlanColumns.tsx'
import styles from './membership.module.css'
import { hasBothRhythms, planOf, promiseInShort, rhythmOf, TIERS, yearlySaving } from './model.ts'
import { changePlan } from './mutations.ts'
import { changePreviewQuery } from './queries.ts'

interface ChangePlanProps {
  owner: string
  /** `price` in pounds, if it differs from the plan's current one. */
  membership: { readonly id: string; readonly plan: PlanId; readonly price?: number | undefined }
  wanted: PlanId
  onClose: () => void
  onChanged: (words: string) => void
}

/** Shows Stripe's preview of the cost before the button that changes the plan (MEMB-19, MEMB-40). */
export function ChangePlan(props: ChangePlanProps) {
  const { owner, membership, wanted, onClose, onChanged } = props
  const queryClient = useQueryClient()
  const [choice, setChoice] = useState<Plan>(() => plans()[wanted])
  const currentPlan = plans()[membership.plan]
  const same = choice.id === currentPlan.id
  const query = changePreviewQuery(owner, membership.id, choice.id)
  const preview = useQuery({ ...query, enabled: !same })
  const known = same || preview.isFetching ? undefined : preview.data
  const {
    write,
    busy,
    refusal: changeRefusal,
    reset,
  } = useWrite((shown: ChangePreview) => changePlan(membership.id, shown), {
    onSuccess(_, shown) {
      // Members who go to the details from here must not see the old plan.
      queryClient.removeQueries({ queryKey: ownKey(owner, 'membership'), type: 'inactive' })
      onChanged(changedWords(shown))
    },
    onFailure: (failure) =>
      isOutdated(failure) && queryClient.invalidateQueries({ queryKey: query.queryKey }),
    message: refusalOfChange,
  })
  const refusal = changeRefusal || (preview.error && refusalOfChange(preview.error))

  const choose = (plan: Plan) => {
    reset()
    setChoice(plan)
  }
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title="Change plan"
      closeLabel="Not now"
      actions={
        same ? (
          <Button look="quiet" onClick={onClose}>
            Keep {currentPlan.type}
          </Button>
        ) : (
          <Button look="beak" busy={busy} disabled={!known} onClick={() => known && void write(known)}>
            {known ? buttonWords(known, choice) : `Change to ${choice.type}`}
          </Button>
        )
      }
    >
      <div className={styles.choose}>
        {hasBothRhythms() && (
          <BillingToggle
            yearly={choice.yearly}
            fill
            onChange={(yearly) => choose(planOf(choice.tier, yearly))}
          />
        )}
        <fieldset className={styles.plans}>
          <legend className={styles.legend}>Plan</legend>
          {offered(choice, currentPlan).map((plan) => (
            <label key={plan.tier}>
              <input
                type="radio"
                name="plan"
                checked={plan.tier === choice.tier}
                onChange={() => choose(plan)}
              />
              <span>
                <b>{plan.type}</b>
                <small>
                  {plan.id === currentPlan.id && 'Your plan. '}
                  {promiseInShort(plan)}
                </small>
              </span>
              <span className={styles.price}>
                {price(
                  plan.id === currentPlan.id && membership.price !== undefined
                    ? toMinor(membership.price)
                    : plan.priceMinor,
                )}
              </span>
            </label>
          ))}
        </fieldset>
        <div className={styles.result} role="status" aria-busy={preview.isFetching}>
          {same ? null : known ? (
            <Preview preview={known} plan={choice} currentPlan={currentPlan} />
          ) : (
            !refusal && <p>One moment. We’re working out what it costs.</p>
          )}
          {refusal && (
            <p className={styles.changePlanProblem} role="alert">
              {refusal}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

const offered = ({ yearly }: Plan, current: Plan): Plan[] =>
  TIERS.map((tier) =>
    tier === current.tier && yearly === current.yearly ? current : planOf(tier, yearly),
  ).filter((plan) => plan.id === current.id || isJoined(plan))

interface PreviewProps {
  preview: ChangePreview
  plan: Plan
  currentPlan: Plan
}

function Preview({ preview, plan, currentPlan }: PreviewProps) {
  const { when, addedToNextPayment, nextPayment, ends } = preview
  const extra = plan.creditsPerMonth - currentPlan.creditsPerMonth
  const next = toMinor(nextPayment.amount)
  const sum = amount(toMinor(preview.amount))
  const today = when === 'now' && !addedToNextPayment ? sum : amount(0)
  return (
    <>
      <dl>
        <div>
          <dt>{when === 'now' ? 'Today, the difference' : 'Today'}</dt>
          <dd>{today}</dd>
        </div>
        <div>
          <dt>
            {next === plan.priceMinor ? 'From' : 'On'} {dayAndMonth(nextPayment.at)}
          </dt>
          <dd>
            {amount(next)}
            {next === plan.priceMinor && ` ${rhythmOf(plan.id)}`}
          </dd>
        </div>
      </dl>
      <p>
        {when === 'now' && `${plan.type} starts straight away. `}
        {addedToNextPayment && `${sum} is added to your next payment. `}
        {when === 'now' &&
          extra > 0 &&
          `${extra === 1 ? 'One more free audiobook is' : `${extra === 2 ? 'Two' : extra} more free audiobooks are`} yours this month. `}
        {ends && `The change to ${plans()[ends.plan].type} on ${dayAndMonth(ends.at)} won’t happen. `}
        {when === 'period_end' && `You keep ${currentPlan.type}, as you have it now, until then. `}
        {when === 'trial_end' && 'Your free trial runs to its end first. '}
        {plan.yearly &&
          !currentPlan.yearly &&
          yearlySaving() &&
          `${yearlySaving()}, compared with paying monthly.`}
      </p>
    </>
  )
}

function buttonWords({ when, at, amount: pounds, addedToNextPayment }: ChangePreview, plan: Plan): string {
  if (when !== 'now') return `Change on ${dayAndMonth(at)}`
  return addedToNextPayment || pounds === 0
    ? `Change to ${plan.type} now`
    : `Change and pay ${amount(toMinor(pounds))}`
}

const changedWords = ({ plan, when, at }: ChangePreview): string =>
  when === 'now'
    ? `You’re on ${plans()[plan].type} now.`
    : `${plans()[plan].type} starts on ${dayAndMonth(at)}. Until then nothing changes.`

const isOutdated = (problem: unknown) => problem instanceof NetProblem && problem.status === 409

function refusalOfChange(problem: unknown): string {
  if (isOutdated(problem)) return 'The price has just changed. Please check it before you go ahead.'
  return problem instanceof NetProblem && problem.kind === 'refused'
    ? serverMessage(problem)
    : somethingWentWrong()
}
