import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Subscription } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { NoPasswordYet } from '#features/account/no-password-yet.tsx'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { filterOf } from '#features/catalogue/filter.ts'
import { booksQuery } from '#features/catalogue/queries.ts'
import { ChoiceList, type FreeChoice, useFreeChoice } from '#features/bag/FreeChoice.tsx'
import { problemState, type ReturnProof } from '#features/checkout/addresses.ts'
import { intentOf } from '#features/checkout/pay.ts'
import { askPayment } from '#features/checkout/queries.ts'
import { pendingPayment } from '#features/checkout/store.ts'
import { usePaidFor, type Wanted } from '#features/checkout/wait-for-payment.ts'
import { rhythmOf } from '#features/membership/model.ts'
import { freeAudiobooks, plans, trial as theTrial } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { dayAndMonth, longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { call } from '#net/call.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useIsLate, useNow } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import { Outcome } from '../-layout/Outcome.tsx'
import { BooksPaid } from './BooksPaid.tsx'
import styles from './checkout.module.css'
import { PayPalProblem } from './PaymentProblem.tsx'

interface MembershipStartedProps {
  proof: ReturnProof
  trial?: boolean
}

/** The confirmation of a new membership (ORDER-05, ORDER-14); it needs an account (ROLE-24). */
export const MembershipStarted = (props: MembershipStartedProps) => (
  <MembersOnly>
    <Waiting {...props} />
  </MembersOnly>
)

const MEMBERSHIP: Wanted<Subscription> = {
  name: 'membership',
  ask: (secret) => askPayment(intentOf(secret), secret),
  find: async () => (await call('GET /api/get-current-subscription', { background: true })) ?? undefined,
  announcement: 'Your membership has started.',
  onThere: () => void reloadUser().catch(() => undefined),
}

function Waiting({ proof, trial = false }: MembershipStartedProps) {
  const [kept] = useState(() => pendingPayment())
  const begun = usePaidFor(proof, MEMBERSHIP)
  const now = useNow()
  if (begun === undefined) return <Checking title={trial ? 'Starting your trial' : undefined} />
  if (begun.is === 'paypal-problem')
    return (
      <PayPalProblem
        of={problemState(
          null,
          kept?.membership ?? (trial ? { plan: theTrial().plan, kind: 'trial' } : undefined),
        )}
      />
    )
  if (begun.is === 'trial-used') return <TrialUsed />
  if (begun.is === 'nothing') return <Navigate to="/subscription/{-$token}" replace />
  const isNew = now - Date.parse(begun.thing.orderDate) < DAY_MS
  return (
    <>
      {!trial && <BooksPaid />}
      {trial && begun.thing.status === 'trialing' ? (
        <TrialBegun membership={begun.thing} isNew={isNew} />
      ) : (
        <Joined membership={begun.thing} isNew={isNew} />
      )}
      <Wrap>
        <NoPasswordYet />
      </Wrap>
    </>
  )
}

export const Checking = ({ title = 'Checking your payment' }: { title?: string | undefined }) => (
  <Outcome
    name="Checking your payment"
    title={title}
    words="One moment. We’re waiting to hear from your bank. There’s no need to do it again."
    waiting
  />
)

function Joined({ membership, isNew }: { membership: Subscription; isNew: boolean }) {
  const newUser = useRouterState({ select: ({ location }) => location.state.newUser === true })
  const firstName = useSession(({ owner }) => owner?.firstName)
  const { creditsPerMonth, monthly, type } = plans()[membership.plan]
  const { payment, periodEnd } = membership
  if (creditsPerMonth > 0)
    return (
      <FirstChoice
        title={
          isNew ? (
            <>
              <span className={styles.phrase}>Welcome{firstName && `, ${firstName}`}.</span>{' '}
              <span className={styles.phrase}>
                What shall it <i>be</i>?
              </span>
            </>
          ) : (
            MEMBER
          )
        }
        words={
          isNew ? `You’re ${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type} from today.` : planSince(membership)
        }
        isFirst={isNew}
        after={newUser && CONFIRM}
        next={
          payment &&
          periodEnd &&
          (monthly
            ? `The next one comes on ${dayAndMonth(periodEnd)}, with your next ${amount(toMinor(payment.amount))}.`
            : `You pay your next ${amount(toMinor(payment.amount))} on ${dayAndMonth(periodEnd)}.`)
        }
        renews={
          payment &&
          `Your membership renews each ${monthly ? 'month' : 'year'} until you cancel. What you’ve chosen stays yours.`
        }
      >
        <JoinedPlainly membership={membership} isNew={isNew} newUser={newUser} />
      </FirstChoice>
    )
  return <JoinedPlainly membership={membership} isNew={isNew} newUser={newUser} />
}

interface JoinedPlainlyProps {
  membership: Subscription
  isNew: boolean
  newUser: boolean
}

const MEMBER = 'You’re a member.'

const planSince = ({ plan, orderDate }: Subscription) =>
  `${planInWords(plans()[plan])}, since ${longDate(orderDate)}.`

/** Without free audiobooks, or with all of them chosen. */
function JoinedPlainly({ membership, isNew, newUser }: JoinedPlainlyProps) {
  const { creditsPerMonth, monthly } = plans()[membership.plan]
  return (
    <WithNewTitles
      title={MEMBER}
      words={[
        isNew ? `${planInWords(plans()[membership.plan])}, from today.` : planSince(membership),
        isNew &&
          creditsPerMonth > 0 &&
          `${freeAudiobooks(creditsPerMonth)} ${creditsPerMonth === 1 ? 'is' : 'are'} waiting for you.`,
        membership.payment !== null &&
          `Your membership renews ${monthly ? 'each month' : 'each year'} until you cancel.`,
        newUser && CONFIRM,
      ]
        .filter(Boolean)
        .join(' ')}
      ways={<Ways choose={isNew ? creditsPerMonth : 0} />}
    />
  )
}

interface WithNewTitlesProps {
  title: string
  words: string
  ways: ReactNode
}

const NEWEST = filterOf({}, 'audio_books')

/** Shows the newest audiobooks beside the text, or the text alone if there are none or they can't be loaded. */
function WithNewTitles({ title, words, ways }: WithNewTitlesProps) {
  const { data, isError } = useQuery(booksQuery('audio_books', NEWEST))
  const books = data?.['hydra:member'].slice(0, OFFERED)
  if (isError || books?.length === 0)
    return <Outcome name="Welcome" title={title} words={words} ways={ways} />
  return (
    <Wrap className={styles.joined}>
      <PageHead title="Welcome" hidden />
      <div>
        <Display as="h1" size="lg">
          {title}
        </Display>
        <p className="lead">{words} Here’s what’s new, at your price.</p>
      </div>
      {books ? (
        <div>
          <BookGrid books={books} />
        </div>
      ) : (
        <div className={styles.coming} aria-busy="true" />
      )}
      <div className={styles.ways}>{ways}</div>
    </Wrap>
  )
}

function TrialBegun({ membership, isNew }: { membership: Subscription; isNew: boolean }) {
  const { plan, days } = theTrial()
  const newUser = useRouterState({ select: ({ location }) => location.state.newUser === true })
  const title = days === 1 ? 'Your day has started.' : `Your ${days} days have started.`
  const until = `Your free trial lasts until ${longDate(membership.validUntil ?? membership.periodEnd ?? '')}.`
  const then = `After that it’s ${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)}, unless you cancel first.${days > 7 ? ' We’ll write 7 and 3 days before.' : days > 3 ? ' We’ll write 3 days before.' : ''}`
  const { creditsPerMonth } = plans()[plan]
  const plainly = (
    <WithNewTitles
      title={title}
      words={[until, then, newUser && CONFIRM].filter(Boolean).join(' ')}
      ways={<Ways choose={isNew ? creditsPerMonth : 0} />}
    />
  )
  if (creditsPerMonth === 0) return plainly
  return (
    <FirstChoice
      title={title}
      words={until}
      isFirst={isNew}
      after={newUser && CONFIRM}
      next={then}
      renews={null}
    >
      {plainly}
    </FirstChoice>
  )
}

interface FirstChoiceProps {
  title: ReactNode
  words: string
  /** The first free audiobook of a membership. */
  isFirst: boolean
  /** Said below the words. */
  after: string | false
  next: string | null
  renews: string | null
  /** Shown if there is nothing to choose from. */
  children: ReactNode
}

const OFFERED = 8
const CHOICE_WITHIN_MS = 3_000

/** The first free audiobook is chosen here, where the membership begins. */
function FirstChoice({ title, words, isFirst, after, next, renews, children }: FirstChoiceProps) {
  const found = useFreeChoice()
  const isLate = useIsLate(CHOICE_WITHIN_MS)
  useGrantedCredit()
  const [choice, setChoice] = useState<FreeChoice | null>()
  const [chosen, setChosen] = useState<readonly AudioBookCard[]>([])
  if (choice === undefined && (found || isLate)) setChoice(found ?? null)
  if (choice === null) return children
  const last = chosen.at(-1)
  const left = (choice?.left ?? 1) - chosen.length
  const isDone = last !== undefined && left <= 0
  return (
    <Wrap className={styles.joined}>
      <PageHead title="Welcome" hidden />
      <div>
        <Display as="h1" size="lg">
          {isDone ? `${last.title} is yours.` : title}
        </Display>
        <p className="lead" role="status">
          {isDone ? (
            'It’s in your library. Press play when you are.'
          ) : (
            <>
              {words} {choice && <Offer of={choice} left={left} chosen={chosen.length} isFirst={isFirst} />}
            </>
          )}
        </p>
        {after && <p>{after}</p>}
      </div>
      {choice ? (
        <>
          <div>
            <ChoiceList
              label="To choose from"
              books={choice.books.slice(0, OFFERED)}
              layout="grid"
              level="h2"
              canChoose
              onChosen={(book) => setChosen((before) => [...before, book])}
            />
          </div>
          <div>
            {(next ?? renews) && (
              <ul role="list" className={styles.facts}>
                {next && (
                  <li>
                    <Icon of={CalendarBlankIcon} />
                    {next}
                  </li>
                )}
                {renews && (
                  <li>
                    <Icon of={CheckIcon} />
                    {renews}
                  </li>
                )}
              </ul>
            )}
            <div className="row gap-5">
              {!isDone && choice.total > OFFERED && (
                <LinkButton to="/subscriber-selection" search={{ page: 1, itemsPerPage: 12 }} look="text">
                  See all {choice.total}
                </LinkButton>
              )}
              <LinkButton to={isDone ? '/library' : '/'} look="text">
                {isDone ? 'Go to your library' : 'Choose later'}
              </LinkButton>
              <LinkButton to="/subscription-details" look="text">
                Your membership
              </LinkButton>
            </div>
          </div>
        </>
      ) : (
        <div className={styles.coming} aria-busy="true" />
      )}
    </Wrap>
  )
}

/** The provider counts in whole seconds: the credit of a new membership may only be valid from the next second on. */
function useGrantedCredit() {
  const isMissing = useSession(({ user }) => user !== null && !user.hasCredit)
  useEffect(() => {
    if (!isMissing) return undefined
    const timer = setTimeout(() => void reloadUser().catch(() => undefined), 1_000)
    return () => clearTimeout(timer)
  }, [isMissing])
}

interface OfferProps {
  of: FreeChoice
  left: number
  chosen: number
  isFirst: boolean
}

function Offer({ of: { left: all, books }, left, chosen, isFirst }: OfferProps) {
  const count = Math.min(OFFERED, books.length)
  const these = count === 1 ? 'this one' : `one of these ${NUMBERS[count] ?? count}`
  if (chosen > 0)
    return `That one’s in your library. ${left === 1 ? 'One more is' : `${left} more are`} free.`
  return all === 1 ? (
    <>
      {isFirst ? 'Your first' : 'Your next'} audiobook is free: <b>choose {these}</b>, and it’s yours for
      good.
    </>
  ) : (
    <>
      {all === 2 ? 'Two' : all} audiobooks are free: <b>choose from these {NUMBERS[count] ?? count}</b>, and
      they’re yours for good.
    </>
  )
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

export const CONFIRM = 'Your account is ready. Please confirm your email address using the link in our email.'

const HIGHLIGHTS = { to: '/subscriber-selection', search: { page: 1, itemsPerPage: 12 } } as const
const COLLECTION = { to: '/audiobooks' } as const

const Ways = ({ choose }: { choose: number }) => (
  <>
    <LinkButton {...(choose > 0 ? HIGHLIGHTS : COLLECTION)} look="beak">
      {choose === 0 ? 'Browse audiobooks' : `Choose your free audiobook${choose === 1 ? '' : 's'}`}
    </LinkButton>
    <LinkButton to="/subscription-details" look="quiet">
      Your membership
    </LinkButton>
  </>
)

function TrialUsed() {
  const { plan, days } = theTrial()
  return (
    <Outcome
      name="Free trial"
      title="You’ve had the free trial before."
      words={`This card${has('payPal') ? ' or PayPal account' : ''} has already had its ${plural(days, 'day')}. Nothing has been charged. You can join at ${amount(plans()[plan].priceMinor)} ${rhythmOf(plan)} instead.`}
      ways={
        <>
          <LinkButton to="/payment" search={{ plan }} look="beak">
            Join for {amount(plans()[plan].priceMinor)} {rhythmOf(plan)}
          </LinkButton>
          <LinkButton to="/subscription/{-$token}" look="text">
            See the plans
          </LinkButton>
        </>
      }
    />
  )
}
