import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { WITHDRAWAL_LENGTH, isEmailAddress } from '#contract/limits.ts'
import type { WithdrawalStatement } from '#contract/withdrawals.ts'
import { longDate } from '#format/date.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field, TextArea } from '#ui/Field.tsx'
import { Refusal } from '../../writes/Refusal.tsx'
import { serverMessage, useWrite } from '../../writes/use-write.ts'
import styles from './withdraw.module.css'
import { MESSAGES } from '#contract/messages.ts'
import { tabNote } from '#session/user-scope.ts'

const OFFLINE = 'You’re offline. What you’ve typed is kept here; send it when you’re back.'

interface StatementFormProps {
  order?: string | undefined
}

/**
 * The form, then a summary with the button that confirms it, then the acknowledgement: the two steps that Directive
 * (EU) 2023/2673, Article 11a, requires. What was typed stays in the tab over a reload; the server treats the same text
 * twice as one statement.
 */
export function StatementForm({ order }: StatementFormProps) {
  const user = useSession((state) => state.user)
  const [typed, setTyped] = useState<Partial<StatementDraft>>({})
  // The server-rendered markup has no draft. A layout effect restores it before the next event.
  useLayoutEffect(() => setTyped((before) => ({ ...recallStatement(), ...before })), [])
  const draft: StatementDraft = {
    name: typed.name ?? user?.fullName ?? '',
    contract: typed.contract ?? order?.slice(0, WITHDRAWAL_LENGTH.contract) ?? '',
    email: typed.email ?? user?.email ?? '',
    scope: typed.scope ?? '',
  }
  const [step, setStep] = useState<'state' | 'confirm'>('state')
  const [stated, setStated] = useState<WithdrawalStatement>()

  const write = (change: Partial<StatementDraft>) => {
    setTyped((before) => ({ ...before, ...change }))
    storeStatement({ ...draft, ...change })
  }
  if (stated) return <Received statement={stated} />
  if (step === 'confirm')
    return (
      <Confirm
        draft={draft}
        onBack={() => setStep('state')}
        onStated={(statement) => {
          forgetStatement()
          setStated(statement)
        }}
      />
    )
  return <Fields draft={draft} onChange={write} onContinue={() => setStep('confirm')} />
}

interface FieldsProps {
  draft: StatementDraft
  onChange: (change: Partial<StatementDraft>) => void
  onContinue: () => void
}

function Fields({ draft, onChange, onContinue }: FieldsProps) {
  const id = useId()
  const [tried, setTried] = useState(false)
  const problems = tried ? problemsOfStatement(draft) : {}
  const goOn = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOfStatement(draft)
    const first = REQUIRED.find((field) => found[field])
    setTried(true)
    if (first) document.getElementById(`${id}-${first}`)?.focus()
    else onContinue()
  }
  return (
    <form className={styles.form} noValidate onSubmit={goOn}>
      <Field
        id={`${id}-name`}
        label="Your name *"
        autoComplete="name"
        maxLength={WITHDRAWAL_LENGTH.name}
        value={draft.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        id={`${id}-contract`}
        label="Order number or contract *"
        hint="Such as M-100001. It’s in the email that confirmed your order."
        autoComplete="off"
        maxLength={WITHDRAWAL_LENGTH.contract}
        value={draft.contract}
        error={problems.contract}
        onChange={(event) => onChange({ contract: event.target.value })}
      />
      <EmailField
        id={`${id}-email`}
        label="Your email *"
        hint="We’ll send the confirmation here. Use the address you ordered with, if you can."
        value={draft.email}
        error={problems.email}
        onChange={(event) => onChange({ email: event.target.value })}
      />
      <TextArea
        label="Only a part of it?"
        hint="Say which. Leave it empty to withdraw from all of it."
        rows={2}
        maxLength={WITHDRAWAL_LENGTH.scope}
        value={draft.scope}
        onChange={(event) => onChange({ scope: event.target.value })}
      />
      <div>
        <Button type="submit" look="solid">
          Continue
        </Button>
      </div>
    </form>
  )
}

interface ConfirmProps {
  draft: StatementDraft
  onBack: () => void
  onStated: (statement: WithdrawalStatement) => void
}

function Confirm({ draft, onBack, onStated }: ConfirmProps) {
  const online = useOnline()
  const heading = useFocusOnce<HTMLHeadingElement>()
  const { write, busy, refusal } = useWrite(() => stateWithdrawal(draft), {
    onSuccess: onStated,
    onFailure: (problem) => announce(refusalOf(problem), 'assertive'),
    message: refusalOf,
  })
  return (
    <div className={styles.form}>
      <h3 ref={heading} tabIndex={-1} className={styles.heading}>
        Is this right?
      </h3>
      <Stated {...draft} scope={draft.scope.trim() || null} />
      {!online && <p className="quiet">{OFFLINE}</p>}
      <Refusal message={refusal} />
      <div className="row gap-3">
        <Button look="solid" busy={busy} onClick={() => void write()}>
          Confirm withdrawal
        </Button>
        <Button look="quiet" onClick={onBack}>
          Change something
        </Button>
      </div>
    </div>
  )
}

function refusalOf(problem: unknown): string {
  if (problem instanceof NetProblem && problem.kind === 'offline') return OFFLINE
  return (problem instanceof NetProblem && problem.violations[0]?.message) || serverMessage(problem)
}

function Received({ statement }: { statement: WithdrawalStatement }) {
  const heading = useFocusOnce<HTMLHeadingElement>()
  return (
    <div className={styles.form}>
      <h3 ref={heading} tabIndex={-1} className={styles.heading}>
        We’ve received your withdrawal
      </h3>
      <p>
        We received it on {longDate(statement.statedAt)} at {statement.statedAt.slice(11, 16)} (UTC), and have
        emailed a confirmation to {statement.email}. If it isn’t there, please look in your spam folder.
      </p>
      <Stated {...statement} />
      <p>
        Where you have the right to withdraw, your money goes back to where it came from within 14 days. If we
        can’t carry it out, we’ll tell you why.
      </p>
    </div>
  )
}

function Stated({
  name,
  contract,
  email,
  scope,
}: Pick<WithdrawalStatement, 'name' | 'contract' | 'email' | 'scope'>) {
  const rows = [
    ['Name', name],
    ['Contract', contract],
    ['Withdrawing from', scope ?? 'All of it'],
    ['Confirmation to', email],
  ] as const
  return (
    <dl className={styles.stated}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Focuses the step that appears, so that screen readers announce it. */
function useFocusOnce<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}

/** Safe to repeat: the server treats the same text as the same statement. */
const stateWithdrawal = ({ name, contract, email, scope }: StatementDraft): Promise<WithdrawalStatement> =>
  call('POST /api/withdrawals', {
    body: {
      name: name.trim(),
      contract: contract.trim(),
      email: email.trim(),
      scope: scope.trim() || null,
    },
  })

interface StatementDraft {
  readonly name: string
  readonly contract: string
  readonly email: string
  readonly scope: string
}
/** The fields that must be filled in, in the order of the form. */
const REQUIRED = ['name', 'contract', 'email'] as const
type RequiredField = (typeof REQUIRED)[number]

function problemsOfStatement({
  name,
  contract,
  email,
}: StatementDraft): Partial<Record<RequiredField, string>> {
  return {
    ...(name.trim() === '' && { name: 'Fill in your name' }),
    ...(contract.trim() === '' && { contract: 'Fill in the order number, or say which contract' }),
    ...(email.trim() === ''
      ? { email: MESSAGES.emailRequired }
      : !isEmailAddress(email) && { email: MESSAGES.emailMustBeValid }),
  }
}

const note = tabNote('withdraw')

export function recallStatement(): StatementDraft | undefined {
  const stored = note.read()
  if (!stored) return undefined
  const text = (field: keyof StatementDraft) => (typeof stored[field] === 'string' ? stored[field] : '')
  return { name: text('name'), contract: text('contract'), email: text('email'), scope: text('scope') }
}
export const storeStatement = (draft: StatementDraft): void => note.write(draft)
const forgetStatement = (): void => note.forget()
