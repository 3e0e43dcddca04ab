import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import type { ComponentProps, ReactNode, RefObject } from 'react'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { freeAudiobooks, plans, trial } from '#features/shop-details/plans.ts'
import { dayAndMonth, lastDay, longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './membership.module.css'
import { methodInWords, rhythmOf, stateOf } from './model.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { serverMessage, somethingWentWrong, useWrite } from '#writes/use-write.ts'

interface MembershipStateProps {
  details: SubscriptionDetails
  holds: boolean
  actions: ReactNode
}

export function MembershipState({ details, holds, actions }: MembershipStateProps) {
  const state = stateOf(details)
  if (state === 'active') return null
  const { icon, label, tone, title, body } = SAID[state](details, holds)
  return (
    <section className={styles.state} aria-labelledby="state">
      <p className={styles.kind} data-tone={tone}>
        <Icon of={icon} size={20} />
        {label}
      </p>
      <Display as="h2" size="md" id="state" tabIndex={-1}>
        {title}
      </Display>
      {body}
      <div className={styles.actions}>{actions}</div>
    </section>
  )
}

interface Said {
  icon: typeof GiftIcon
  label: string
  tone: 'accent' | 'danger' | 'warning'
  title: string
  body: ReactNode
}

const SAID: Record<
  'trial' | 'failed' | 'cancelled' | 'gifted',
  (d: SubscriptionDetails, holds: boolean) => Said
> = {
  trial({ subscription, nextPayment, pendingPlan }) {
    const until = subscription.validUntil ?? subscription.periodEnd ?? ''
    const after = pendingPlan?.plan ?? subscription.plan
    return {
      icon: CalendarBlankIcon,
      label: 'Free trial',
      tone: 'accent',
      title: `${plans()[subscription.plan].type}, ${amount(0)} until ${dayAndMonth(until)}`,
      body: (
        <p>
          Then it’s {amount(nextPayment ? toMinor(nextPayment.amount) : plans()[after].priceMinor)}{' '}
          {rhythmOf(after)} from{' '}
          {methodInWords(subscription) === 'PayPal'
            ? 'PayPal'
            : `your ${methodInWords(subscription).toLowerCase()}`}
          , unless you cancel first. {remindersIn(trial().days)}
        </p>
      ),
    }
  },
  failed({ subscription, failedPayment }, holds) {
    const sum = failedPayment?.amount
    return {
      icon: WarningCircleIcon,
      label: 'Payment didn’t go through',
      tone: 'danger',
      title: sum ? `Your bank turned down ${amount(toMinor(sum))}` : 'Your bank turned down the last payment',
      body: (
        <p>
          {failedPayment && `That was on ${dayAndMonth(failedPayment.since)}. `}
          It happens, most often with a card that’s been replaced. We’ll try again over the next days.{' '}
          {holds && failedPayment ? (
            <>
              Nothing is lost: member prices and recordings stay until{' '}
              <b>{dayAndMonth(failedPayment.benefitsUntil)}</b>, and your library always will.
            </>
          ) : (
            'Member prices and recordings wait until it’s paid. Your library is yours, as always.'
          )}{' '}
          {plans()[subscription.plan].creditsPerMonth > 0 &&
            'Your next free audiobook comes when the payment does.'}
        </p>
      ),
    }
  },
  cancelled({ subscription, credits, droppedPlan }) {
    const until = subscription.validUntil ?? ''
    return {
      icon: CalendarBlankIcon,
      label: 'Payment has been cancelled',
      tone: 'warning',
      title: `Yours until ${longDate(until)}`,
      body: (
        <>
          <Ticks>
            {['Member prices and recordings, until then', toChoose(credits), 'Your whole library, for good']}
          </Ticks>
          <p>
            Changed your mind? Resuming costs nothing today; the next payment is due on {dayAndMonth(until)}
            {droppedPlan
              ? `, for ${plans()[subscription.plan].type}. The change to ${plans()[droppedPlan.plan].type} was cancelled too.`
              : '.'}
          </p>
        </>
      ),
    }
  },
  gifted({ subscription, credits }) {
    const plan = plans()[subscription.plan]
    return {
      icon: GiftIcon,
      label: 'A gift',
      tone: 'accent',
      title: `${plan.type} until ${longDate(subscription.validUntil ?? '')}`,
      body: (
        <>
          <p>
            {plan.creditsPerMonth > 0 &&
              `${plan.creditsPerMonth === 1 ? 'One free audiobook' : freeAudiobooks(plan.creditsPerMonth)} a month. `}
            There’s nothing to pay and no card on file; it ends automatically.
          </p>
          <Ticks>{[toChoose(credits)]}</Ticks>
        </>
      ),
    }
  },
}

/** A short trial has no time for two reminders. */
const remindersIn = (days: number): string =>
  days > 7
    ? 'We’ll write 7 and 3 days before, so it won’t catch you out.'
    : days > 3
      ? 'We’ll write 3 days before, so it won’t catch you out.'
      : ''

const toChoose = ({ left, until }: SubscriptionDetails['credits']): string | undefined =>
  left > 0 && until
    ? `${left === 1 ? 'One free audiobook' : `${left} free audiobooks`}, to choose by ${dayAndMonth(lastDay(until))}`
    : undefined

const Ticks = ({ children }: { children: readonly (string | undefined)[] }) => (
  <ul role="list" className={styles.ticks}>
    {children.map(
      (words) =>
        words && (
          <li key={words}>
            <Icon of={CheckIcon} />
            {words}
          </li>
        ),
    )}
  </ul>
)

export function NextPayment({ details }: { details: SubscriptionDetails }) {
  const { subscription, nextPayment } = details
  const { payment, canceledAt, validUntil } = subscription
  const state = stateOf(details)
  return (
    <dl className={styles.facts}>
      {nextPayment && state !== 'cancelled' ? (
        <div>
          <dt>Next payment</dt>
          <dd>
            {amount(toMinor(nextPayment.amount))}
            <span>{longDate(nextPayment.at)}</span>
          </dd>
        </div>
      ) : (
        validUntil &&
        state !== 'failed' && (
          <div>
            <dt>{canceledAt ? 'Expires' : 'Ends'}</dt>
            <dd>{longDate(validUntil)}</dd>
          </div>
        )
      )}
      {payment && canceledAt === null && (
        <div>
          <dt>Paid with</dt>
          <dd>{methodInWords(subscription)}</dd>
        </div>
      )}
    </dl>
  )
}

interface RowProps {
  icon: ComponentProps<typeof Icon>['of']
  title: ReactNode
  words?: ReactNode
  children?: ReactNode
}

export const Rows = ({ children }: { children: ReactNode }) => <div className={styles.rows}>{children}</div>

export const Row = ({ icon, title, words, children }: RowProps) => (
  <div className={styles.row}>
    <Icon of={icon} />
    <div>
      <b>{title}</b>
      {words && <p>{words}</p>}
    </div>
    {children}
  </div>
)

interface SecondPressProps {
  title: string
  press: string
  keep: string
  children: ReactNode
  act: () => Promise<unknown>
  onClose: () => void
  onDone: () => Promise<void>
  /** Called if the data behind the question has changed meanwhile. */
  onOutdated?: (() => Promise<unknown>) | undefined
  /** The element that gets the focus afterwards, already mounted; by default the button that was pressed. */
  focusAfter?: RefObject<HTMLElement | null>
}

/**
 * Asks for confirmation before something ends. If the action fails, the question stays and shows why
 * (MEMB-34).
 */
export function SecondPress(props: SecondPressProps) {
  const { title, press, keep, children, act, onClose, onDone, onOutdated, focusAfter } = props
  const isOutdated = (problem: unknown) => problem instanceof NetProblem && problem.status === 409
  const { write, busy, refusal } = useWrite(act, {
    onSuccess: onDone,
    onFailure: (problem) => isOutdated(problem) && onOutdated?.(),
    message: (problem) => (isOutdated(problem) ? serverMessage(problem) : somethingWentWrong()),
  })
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={title}
      closeLabel={keep}
      finalFocus={focusAfter}
      actions={
        <Button look="danger" busy={busy} onClick={() => void write()}>
          {press}
        </Button>
      }
    >
      <div className="stack gap-3">{children}</div>
      {refusal && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}
