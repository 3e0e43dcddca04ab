import { LockIcon } from '@phosphor-icons/react/dist/csr/Lock'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { type FieldErrors, type ResolverResult, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { guessedCountry } from '#format/countries.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CountryField } from '#ui/CountryField.tsx'
import { EmailField, Field, PasswordField } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { useWrite } from '#writes/use-write.ts'
import { type Card, CardFields } from './CardFields.tsx'
import { EMAIL_TAKEN } from './pay.ts'
import styles from './checkout.module.css'
import type { Method } from './purchase.ts'
import { useCheckoutDraft, writeDraft } from './store.ts'
import {
  FIELDS,
  firstToMend,
  type Needed,
  PASSWORD_TOO_SHORT,
  type PaymentDetails,
  problemsOf,
} from './validation.ts'

export interface Refusal {
  readonly message: string
  /** The problem of each field. If set, `message` is not shown. */
  readonly fields?: Partial<Record<keyof PaymentDetails, string>>
  /** The outcome of the payment is unknown. */
  readonly uncertain?: true
}

interface PaymentFormProps {
  /** Not logged in: the checkout also creates an account (PAY-04). */
  visitor: boolean
  /** The name of a buyer who is logged in: probably the one on the card. */
  name?: string | undefined
  /** Empty if there is nothing left to pay: no card and no PayPal (PAY-29). */
  methods: readonly Method[]
  waiver: string | undefined
  card: Card
  /** Offers to save the card, for an account. */
  savesCard?: boolean | undefined
  providerReady: boolean
  /**
   * Why the purchase can't be paid yet, apart from the form: a code is being checked, a gift has no address.
   */
  blocked?: string | undefined
  refusal: Refusal | undefined
  label: string
  /** Shown below the button: what is charged, and by whom. */
  note: (method: Method) => ReactNode
  /** What an account is good for, if the purchase is possible without one. */
  account?: string | undefined
  /** Marks each field with an asterisk, because all are required (PAY-07). */
  marked?: boolean | undefined
  /** Codes of the countries that the shop sells to; undefined for all. */
  among?: readonly string[] | undefined
  here?: string | undefined
  onPay: (details: PaymentDetails, method: Method) => Promise<void>
  /** Whether an address has an account; if so, the form offers the log-in before the rest is filled in. */
  isKnown?: ((email: string) => Promise<boolean>) | undefined
  onLogIn?: (() => void) | undefined
}

export function PaymentForm(props: PaymentFormProps) {
  const {
    visitor,
    name = '',
    methods,
    waiver,
    card,
    savesCard,
    providerReady,
    blocked,
    refusal,
    label,
    note,
    account,
    marked,
    among,
    here,
    onPay,
    isKnown,
    onLogIn,
  } = props
  // oxlint-disable-next-line react/hooks -- reads the stored draft once: no hook is called
  const [before] = useState(() => useCheckoutDraft.getState())
  const [method, setMethod] = useState<Method>(methods.includes(before.method) ? before.method : 'card')
  const free = methods.length === 0
  const needsCard = !free && method === 'card'
  const needed: Needed = { person: visitor, card: needsCard, waiver: waiver !== undefined }
  const form = useForm<PaymentDetails, Needed>({
    mode: 'onTouched',
    defaultValues: {
      email: before.email,
      firstName: before.firstName,
      lastName: before.lastName,
      cardholder: before.cardholder || name,
      countryCode: before.countryCode || guessAmong(among, here),
      password: '',
      waiver: waiver !== undefined && before.agreedTo === waiver,
      withAccount: before.withAccount,
      saveCard: before.saveCard,
    },
    context: needed,
    resolver: checked,
  })
  const { register, handleSubmit, trigger, setError, control, getValues, setValue } = form
  const { errors } = form.formState
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field has a value from the start
  const details = useWatch({ control }) as PaymentDetails
  const toMend = firstToMend(details, needed)
  const { write, busy } = useWrite(
    ({ details: { email, ...others }, by }: { details: PaymentDetails; by: Method }) =>
      onPay({ ...others, email: email.trim() }, by),
  )
  const [edited, setEdited] = useState(false)
  const [starting, setStarting] = useState(false)
  const id = useId()
  const asked = (words: string) => (marked ? `${words} *` : words)
  const field = (name: keyof PaymentDetails) => `${id}-${name}`

  useEffect(() => {
    const { email, firstName, lastName, cardholder, countryCode, withAccount, saveCard } = details
    const agreedTo = details.waiver && waiver ? waiver : ''
    const typed = { email, firstName, lastName, cardholder, countryCode }
    writeDraft({ ...typed, method, agreedTo, withAccount, saveCard })
  }, [details, method, waiver])
  useEffect(() => setEdited(true), [details])
  useEffect(() => {
    if (!refusal) return
    setEdited(false)
    announce(refusal.message, 'assertive')
    for (const [name, message] of faultsIn(refusal)) setError(name, { message }, { shouldFocus: false })
  }, [refusal, setError])

  /** The same person pays in most cases; a name that was typed stays. */
  const copyName = () => {
    const { cardholder, firstName, lastName } = getValues()
    const whole = `${firstName.trim()} ${lastName.trim()}`
    if (cardholder === '' && firstName.trim() && lastName.trim()) setValue('cardholder', whole)
  }
  const pay = (by: Method) => handleSubmit((details) => write({ details, by }))
  const choose = (next: Method) => {
    setMethod(next)
    setStarting(next === 'paypal' && !blocked)
  }
  /**
   * Start PayPal as soon as everything else is filled in (PAY-11); otherwise the fields show what is missing.
   * On a slow connection, the buyer can choose PayPal before it is ready.
   */
  const startPayPal = useEffectEvent(async () => {
    setStarting(false)
    if (await trigger()) await pay('paypal')()
  })
  useEffect(() => {
    if (starting && providerReady) void startPayPal()
  }, [starting, providerReady])

  const mend = toMend && <FieldLink to={field(toMend.field)} words={toMend.words} />
  const wait = free ? undefined : notReady({ providerReady, needsCard, card })
  const reason = busy ? undefined : (blocked ?? inOrder(toMend?.field, mend, wait))
  const failed = refusal !== undefined && !edited && !busy
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!reason) void pay(method)()
      }}
      noValidate
    >
      <ErrorSummary
        title={failed && refusal?.uncertain ? UNCERTAIN : 'Nothing has been charged yet.'}
        problems={[
          ...(failed && refusal ? problemsIn(refusal, field) : []),
          ...(needsCard ? cardProblems(card) : []),
        ]}
        focus={failed}
      />
      {marked && (visitor || !free) && <p className="quiet">Please fill in every field marked *.</p>}
      {visitor && (
        <Buyer
          form={form}
          field={field}
          asked={asked}
          {...{ account, among, isKnown, onLogIn, marked }}
          onNamed={copyName}
          details={details}
          isReadable={problemsOf(details, needed).email === undefined}
        />
      )}
      {/* Keep this mounted while nothing is left to pay: the card iframes would lose what was typed into
          them. */}
      <fieldset className={styles.group} hidden={free}>
        <legend>Payment</legend>
        {methods.length !== 1 && (
          <RadioGroup
            legend="Pay by"
            hideLegend
            boxed
            options={[
              { value: 'card', label: 'Card' },
              { value: 'paypal', label: 'PayPal' },
            ]}
            value={method}
            onChange={choose}
          />
        )}
        {/* Keep this mounted, so that the card survives a switch to PayPal and back. */}
        <div className={styles.card} hidden={method !== 'card'}>
          <Field
            id={field('cardholder')}
            label={asked('Name on card')}
            autoComplete="cc-name"
            error={errors.cardholder?.message}
            {...register('cardholder')}
          />
          <CardFields card={card} marked={marked} />
          {savesCard && (!visitor || details.withAccount) && (
            <Checkbox
              label="Save this card for next time"
              note="You can then buy with one press, and remove it in Settings."
              {...register('saveCard')}
            />
          )}
        </div>
        {waiver && (
          <Checkbox
            id={field('waiver')}
            label={asked(waiver)}
            error={errors.waiver?.message}
            {...register('waiver')}
          />
        )}
      </fieldset>
      <div className={styles.go}>
        <Button type="submit" look="beak" tall busy={busy} disabledReason={reason}>
          <Icon of={LockIcon} size={20} />
          {failed ? 'Ups! Error!' : label}
        </Button>
        <p>{note(method)}</p>
      </div>
    </form>
  )
}

interface BuyerProps extends Pick<PaymentFormProps, 'account' | 'among' | 'isKnown' | 'onLogIn' | 'marked'> {
  form: UseFormReturn<PaymentDetails, Needed>
  field: (name: keyof PaymentDetails) => string
  asked: (words: string) => string
  details: PaymentDetails
  isReadable: boolean
  onNamed: () => void
}

/**
 * Fields for a visitor's email address and name. Recognises an address that has an account when the field
 * loses focus.
 */
function Buyer({
  form: {
    register,
    formState: { errors },
  },
  field,
  asked,
  details,
  isReadable,
  account,
  among,
  isKnown,
  onLogIn,
  marked,
  onNamed,
}: BuyerProps) {
  const email = details.email.trim()
  const [known, setKnown] = useState('')
  const [lookedUp, setLookedUp] = useState('')
  const isTaken = details.withAccount && email !== '' && known === email
  const lookUp = async () => {
    if (!isKnown || !details.withAccount || lookedUp === email || !isReadable) return
    setLookedUp(email)
    if (await isKnown(email).catch(() => false)) setKnown(email)
  }
  return (
    <fieldset className={styles.group}>
      <legend>You</legend>
      <EmailField
        id={field('email')}
        label={asked('Email')}
        hint={marked ? 'Your receipts go here.' : 'Your books and your receipt go here.'}
        error={errors.email?.message ?? (isTaken ? EMAIL_TAKEN : undefined)}
        {...register('email', { onBlur: () => void lookUp() })}
      />
      {isTaken && onLogIn && (
        <div>
          <Button look="quiet" onClick={onLogIn}>
            Log in
          </Button>
        </div>
      )}
      <div className={styles.two}>
        <Field
          id={field('firstName')}
          label={asked('First name')}
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...register('firstName')}
        />
        <Field
          id={field('lastName')}
          label={asked('Last name')}
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...register('lastName', { onBlur: onNamed })}
        />
      </div>
      {account && <Checkbox label={account} {...register('withAccount')} />}
      {details.withAccount && (
        <PasswordField
          id={field('password')}
          label={asked('Password')}
          autoComplete="new-password"
          hint={PASSWORD_TOO_SHORT}
          error={errors.password?.message}
          {...register('password')}
        />
      )}
      <CountryField
        id={field('countryCode')}
        among={among}
        {...(marked && { label: 'Country *' })}
        error={errors.countryCode?.message}
        {...register('countryCode')}
      />
    </fieldset>
  )
}

function guessAmong(among: readonly string[] | undefined, here: string | undefined): string {
  const country = here ?? guessedCountry()
  return !among || among.includes(country) ? country : ''
}

function checked(details: PaymentDetails, needed: Needed | undefined): ResolverResult<PaymentDetails> {
  const problems = needed ? problemsOf(details, needed) : {}
  const errors: FieldErrors<PaymentDetails> = Object.fromEntries(
    Object.entries(problems).map(([field, message]) => [field, { type: 'validate', message }]),
  )
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: details, errors: {} }
}

/** Sorted as on the page: the waiver checkbox is below the card. */
const inOrder = (field: string | undefined, mend: ReactNode, wait: ReactNode): ReactNode =>
  field === 'waiver' ? (wait ?? mend) : (mend ?? wait)

interface Readiness {
  providerReady: boolean
  needsCard: boolean
  card: Card
}

function notReady({ providerReady, needsCard, card }: Readiness): ReactNode {
  if (!providerReady || (needsCard && !card.ready)) return 'Our card provider isn’t ready yet.'
  if (!needsCard) return undefined
  const part = CARD_PARTS.find((name) => !card.parts[name].complete)
  return part && <FieldLink onFollow={() => card.focus(part)} words={FILL_IN[part]} />
}

const CARD_PARTS = ['cardNumber', 'cardExpiry', 'cardCvc'] as const
const FILL_IN = {
  cardNumber: 'Fill in your card number first.',
  cardExpiry: 'Fill in your card’s expiry date first.',
  cardCvc: 'Fill in your card’s CVC first.',
} as const

const UNCERTAIN = 'We don’t know yet whether your payment went through.'

function problemsIn(refusal: Refusal, field: (name: keyof PaymentDetails) => string) {
  const faults = faultsIn(refusal)
  return faults.length > 0
    ? faults.map(([name, words]) => ({ words, to: field(name) }))
    : [{ words: refusal.message }]
}

const faultsIn = ({ fields = {} }: Refusal) =>
  FIELDS.flatMap((name) => {
    const words = fields[name]
    return words === undefined ? [] : [[name, words] as const]
  })

function cardProblems(card: Card) {
  return CARD_PARTS.flatMap((part) =>
    card.parts[part].problem ? [{ words: card.parts[part].problem, onFollow: () => card.focus(part) }] : [],
  )
}

interface Problem {
  readonly words: string
  readonly to?: string | undefined
  /** Used in place of an id, because the field is in an iframe. */
  readonly onFollow?: () => void
}

interface ErrorSummaryProps {
  /** What is certain about the money. */
  title: string
  problems: readonly Problem[]
  /** Focus the summary, because a press on Pay has just failed. */
  focus: boolean
}

function ErrorSummary({ title, problems, focus }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  if (problems.length === 0) return null
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <Icon of={WarningCircleIcon} />
      <b>{title}</b>
      <ul role="list">
        {problems.map(({ words, to, onFollow }) => (
          <li key={words}>
            {to || onFollow ? <FieldLink words={words} to={to} onFollow={onFollow} /> : words}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface FieldLinkProps {
  words: string
  to?: string | undefined
  /** Used in place of an id, because the field is in an iframe. */
  onFollow?: (() => void) | undefined
}

function FieldLink({ words, to, onFollow }: FieldLinkProps) {
  return (
    <a
      href={`#${to ?? ''}`}
      onClick={(event) => {
        event.preventDefault()
        if (onFollow) onFollow()
        else if (to) document.getElementById(to)?.focus()
      }}
    >
      {words}
    </a>
  )
}
