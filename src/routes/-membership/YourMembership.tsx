import { ArrowsLeftRightIcon } from '@phosphor-icons/react/dist/csr/ArrowsLeftRight'
import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Static } from 'typebox'
import type { listInvoices, Subscription, SubscriptionDetails } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { highlightsQuery } from '#features/catalogue/queries.ts'
import { WithdrawalOffer } from '#features/membership/Leaving.tsx'
import { MembershipState, Row, Rows } from '#features/membership/MembershipState.tsx'
import {
  canCancel,
  canChange,
  canUpdatePayment,
  methodInWords,
  promiseInShort,
  rhythmOf,
  stateOf,
} from '#features/membership/model.ts'
import { resumeMembership } from '#features/membership/mutations.ts'
import { PayAgain } from '#features/membership/PayAgain.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { dayAndMonth, lastDay, longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { useIsMember } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Refusal } from '../../writes/Refusal.tsx'
import { somethingWentWrong, useWrite } from '../../writes/use-write.ts'
import styles from './membership.module.css'

export type Asked = 'cancel' | 'change' | 'change-again' | 'withdraw' | undefined

interface YourMembershipProps {
  details: SubscriptionDetails
  invoices: Invoices
  onAsk: (question: Asked) => void
  onDone: (words: string) => Promise<void>
}

export function YourMembership({ details, invoices, onAsk, onDone }: YourMembershipProps) {
  const holds = useIsMember()
  const state = stateOf(details)
  const { withdrawal } = details
  const navigate = useNavigate()
  // Only the checkout's document allows Stripe, which shows the bank's dialog.
  const askBank = () =>
    void navigate({
      to: '/payment',
      search: { 'update-card': 1, subscription: details.subscription.id, confirm: 1 },
    })
  return (
    <>
      {details.disputedSince && (
        <section className={styles.joined} aria-labelledby="disputed">
          <p className={styles.kind}>
            <Icon of={WarningCircleIcon} size={20} />
            On hold
          </p>
          <Display as="h2" size="sm" id="disputed">
            Your bank is looking into a payment
          </Display>
          <p>
            {details.subscription.gift
              ? `The bank of the person who gave you this membership has been asking about its payment since ${longDate(details.disputedSince)}. `
              : `You, or someone using your card, queried it with the bank on ${longDate(details.disputedSince)}. `}
            Until the bank decides, your benefits are on hold and we can’t pay anything back here.{' '}
            {!details.subscription.gift && 'If you know the payment, please tell your bank. '}Your library
            stays yours.
          </p>
        </section>
      )}
      <MembershipState
        details={details}
        holds={holds}
        actions={
          state === 'failed' ? (
            <>
              <UpdatePayment details={details} look="beak" words="Update payment details" />
              <PayAgain
                id={details.subscription.id}
                words={
                  details.subscription.payment?.type === 'paypal' ? 'Try PayPal again' : 'Try this card again'
                }
                onPaid={onDone}
                onBankAsks={askBank}
              />
            </>
          ) : state === 'cancelled' ? (
            <Resume id={details.subscription.id} onResumed={() => onDone(resumedWords(details))} />
          ) : (
            <>
              {details.credits.left > 0 && <Choose left={details.credits.left} />}
              {state === 'trial' && (
                <Button look="text" onClick={() => onAsk('cancel')}>
                  Cancel trial
                </Button>
              )}
            </>
          )
        }
      />
      {state === 'active' && !details.disputedSince && <Credits details={details} />}
      {withdrawal && !withdrawal.disputed && (
        <section className={styles.joined} aria-labelledby="withdraw">
          <p className={styles.kind}>
            <Icon of={ArrowUUpLeftIcon} size={20} />
            {details.subscription.gift
              ? 'Just claimed'
              : isFirstCharge(withdrawal.until, invoices)
                ? 'Just joined'
                : 'Just renewed'}
          </p>
          <Display as="h2" size="sm" id="withdraw">
            {details.subscription.gift
              ? 'Not for you? You can hand it back'
              : 'Changed your mind? You have 14 days.'}
          </Display>
          <WithdrawalOffer
            isGift={details.subscription.gift}
            withdrawal={withdrawal}
            onWithdraw={() => onAsk('withdraw')}
          />
        </section>
      )}
      <div className={styles.two}>
        <MembershipPayments details={details} invoices={invoices} />
        <YourPlan details={details} onAsk={onAsk} />
      </div>
    </>
  )
}

const DAYS_TO_WITHDRAW_MS = 14 * 86_400_000

/** True also after an upgrade in the first 14 days, which adds a charge but is not a renewal. */
const isFirstCharge = (until: string, invoices: Invoices): boolean => {
  const first = invoices.at(-1)
  // Allow a minute: the two timestamps come from two tables.
  return !first || Math.abs(Date.parse(until) - DAYS_TO_WITHDRAW_MS - Date.parse(first.at)) < 60_000
}

function Credits({ details: { credits, subscription } }: { details: SubscriptionDetails }) {
  const { data } = useQuery(highlightsQuery())
  const perMonth = plans()[subscription.plan].creditsPerMonth
  if (perMonth === 0 && credits.left === 0) return null
  const { left, until, from } = credits
  if (left === 0 && from)
    return (
      <section className={styles.credits} aria-labelledby="credits">
        <Display as="h2" size="md" id="credits">
          Your first free {perMonth === 1 ? 'audiobook comes' : 'audiobooks come'} on {dayAndMonth(from)}
        </Display>
        <p className={styles.why}>
          You cancelled a membership for a refund in the last 12 months, so{' '}
          {perMonth === 1 ? 'it comes' : 'they come'} after the first 14 days of this one.
        </p>
      </section>
    )
  return (
    <section className={styles.credits} aria-labelledby="credits">
      <Display as="h2" size="md" id="credits">
        {left === 0
          ? `You’ve chosen this month’s free ${perMonth === 1 ? 'audiobook' : 'audiobooks'}`
          : left === 1
            ? 'One free audiobook is waiting'
            : `${left === 2 ? 'Two' : left} free audiobooks are waiting`}
      </Display>
      {left > 0 ? (
        <>
          <p className={styles.why}>
            Choose from this month’s highlights
            {until && (
              <>
                {' '}
                by <b>{dayAndMonth(lastDay(until))}</b>
              </>
            )}
            . {left === 1 ? 'It' : 'They'} won’t carry over, and what you choose is yours for good.
          </p>
          <div>
            <Choose left={left} />
          </div>
          <div className={styles.highlights}>
            {data && <BookCarousel title="This month’s highlights" books={data['hydra:member']} />}
          </div>
        </>
      ) : (
        <p className={styles.why}>
          The next {perMonth === 1 ? 'one comes' : `${perMonth === 2 ? 'two' : perMonth} come`} with your next
          month.
        </p>
      )}
    </section>
  )
}

const Choose = ({ left }: { left: number }) => (
  <LinkButton to="/subscriber-selection" search={{ page: 1, itemsPerPage: 12 }} look="beak">
    {left === 1 ? 'Choose your audiobook' : 'Choose your audiobooks'}
  </LinkButton>
)

/**
 * Names the plan that continues if a planned downgrade was dropped; the plan's section asks whether to plan
 * it again.
 */
const resumedWords = ({ subscription, droppedPlan }: SubscriptionDetails): string =>
  droppedPlan
    ? `Welcome back. Your membership continues as ${plans()[subscription.plan].type}.`
    : 'Welcome back. Your membership continues as before.'

function Resume({ id, onResumed }: { id: string; onResumed: () => Promise<void> }) {
  const { write, busy, refusal } = useWrite(() => resumeMembership(id), {
    onSuccess: onResumed,
    message: somethingWentWrong,
  })
  return (
    <>
      <Button look="beak" busy={busy} onClick={() => void write()}>
        Resume membership
      </Button>
      <Refusal message={refusal} />
    </>
  )
}

interface YourPlanProps {
  details: SubscriptionDetails
  onAsk: (question: Asked) => void
}

function codeWords({
  percentDiscount,
  discountDuration,
  discountDurationMonths,
  orderDate,
}: Subscription): string {
  const off = percentDiscount === null ? 'Less with your code' : `${percentDiscount}% off with your code`
  if (discountDuration !== 'repeating' || !discountDurationMonths)
    return discountDuration === 'forever' ? `${off}, for as long as you stay.` : `${off}.`
  return `${off}, for ${plural(discountDurationMonths, 'month')} from ${longDate(orderDate)}.`
}

function YourPlan({ details, onAsk }: YourPlanProps) {
  const plan = plans()[details.subscription.plan]
  const { nextPayment, subscription } = details
  // Members who joined at another price continue to pay it.
  const priceMinor = subscription.price === undefined ? plan.priceMinor : toMinor(subscription.price)
  // With a code the next payment is less than the plan's price.
  const paidMinor =
    nextPayment?.plan === plan.id && nextPayment.amount > 0 ? toMinor(nextPayment.amount) : priceMinor
  return (
    <section aria-labelledby="plan">
      <Display as="h2" size="md" id="plan" className={styles.heading}>
        Your plan
      </Display>
      <Rows>
        <Row
          icon={ArrowsLeftRightIcon}
          title={
            // Show no price for a membership that costs its member nothing.
            details.subscription.payment === null
              ? planInWords(plan)
              : `${plan.type}, ${amount(paidMinor)} ${rhythmOf(plan.id)}`
          }
          words={
            paidMinor < priceMinor
              ? codeWords(subscription)
              : subscription.price === undefined
                ? promiseInShort(plan)
                : 'The price at which you joined.'
          }
        >
          {canChange(details) && (
            <Button look="text" onClick={() => onAsk('change')}>
              Change plan
            </Button>
          )}
        </Row>
        {details.pendingPlan && (
          <Row
            icon={CalendarBlankIcon}
            title={planInWords(plans()[details.pendingPlan.plan])}
            words={`Starts on ${longDate(details.pendingPlan.at)}.`}
          />
        )}
        {details.droppedPlan && canChange(details) && (
          <Row
            icon={CalendarBlankIcon}
            title={`You’d chosen ${plans()[details.droppedPlan.plan].type} from ${dayAndMonth(details.droppedPlan.at)}.`}
            words="Choose it again?"
          >
            <Button look="text" onClick={() => onAsk('change-again')}>
              Choose {plans()[details.droppedPlan.plan].type}
            </Button>
          </Row>
        )}
      </Rows>
      {canCancel(details) && stateOf(details) !== 'trial' && (
        <div className={styles.end}>
          <p>
            It renews automatically {plan.monthly ? 'each month' : 'each year'}. You can stop whenever you
            like, and your library stays yours.
          </p>
          <Button look="text" onClick={() => onAsk('cancel')}>
            Cancel membership
          </Button>
        </div>
      )}
    </section>
  )
}

export type Invoices = Static<typeof listInvoices.reply>['invoices']

const SHOWN = 3

export function MembershipPayments({
  details,
  invoices,
}: {
  details: SubscriptionDetails
  invoices: Invoices
}) {
  const [all, setAll] = useState(false)
  const { subscription } = details
  if (!subscription.payment && invoices.length === 0) return null
  return (
    <section aria-labelledby="payments">
      <Display as="h2" size="md" id="payments" className={styles.heading}>
        Payments
      </Display>
      <Rows>
        {subscription.payment && (
          <Row
            icon={CreditCardIcon}
            title={methodInWords(subscription)}
            words={subscription.canceledAt ? 'Nothing more is charged.' : 'For every payment to come'}
          >
            <UpdatePayment details={details} look="text" words="Update payment" />
          </Row>
        )}
        {(all ? invoices : invoices.slice(0, SHOWN)).map(({ order, at, ...charge }) => (
          <Row
            key={order}
            icon={ReceiptIcon}
            title={`${amount(toMinor(charge.amount))}, ${stateOfCharge(charge)}`}
            words={longDate(at)}
          >
            <LinkButton
              to="/orders/$id"
              params={{ id: order }}
              look="text"
              aria-label={`Invoice of ${longDate(at)}`}
            >
              Invoice
            </LinkButton>
          </Row>
        ))}
      </Rows>
      {!all && invoices.length > SHOWN && (
        <Button look="text" onClick={() => setAll(true)}>
          All {invoices.length} invoices
        </Button>
      )}
    </section>
  )
}

function stateOfCharge({
  amount: paid,
  refunded,
  disputed,
}: Pick<Invoices[number], 'amount' | 'refunded' | 'disputed'>): string {
  if (disputed) return 'your bank is looking into it'
  if (refunded === 0) return 'paid'
  return refunded < paid ? `${amount(toMinor(refunded))} paid back` : 'paid back'
}

interface UpdatePaymentProps {
  details: SubscriptionDetails
  look: 'beak' | 'text'
  words: string
}

/** A link to the checkout for a new card (PAY-24); its URL survives a reload (OP-10). */
const UpdatePayment = ({ details, look, words }: UpdatePaymentProps) =>
  canUpdatePayment(details) && (
    <LinkButton
      to="/payment"
      search={{ 'update-card': 1, subscription: details.subscription.id }}
      look={look}
    >
      {words}
    </LinkButton>
  )
