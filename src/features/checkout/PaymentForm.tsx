import { LockIcon } from '@phosphor-icons/react/dist/csr/Lock'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useForm, useWatch, type FieldErrors, type ResolverResult } from 'react-hook-form'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CountryField } from '#ui/CountryField.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { CardFields } from './CardFields.tsx'
import { useTillDraft } from './draft.ts'
import { ErrorSummary } from './ErrorSummary.tsx'
import styles from './PaymentForm.module.css'
import type { Card } from './use-card.ts'
import { PASSWORD_TOO_SHORT, problemsOf, type Needed, type PaymentDetails } from './validation.ts'

export type Method = 'card' | 'paypal'

/** What kept the last press from going on; the form keeps what was typed. */
export interface Refusal {
  readonly message: string
  readonly field?: 'email'
}

interface PaymentFormProps {
  /** Nobody is logged in: an account is made on the way (PAY-04). */
  visitor: boolean
  /** Nothing is left to pay: no card, no PayPal, nothing to waive (PAY-29). */
  free: boolean
  card: Card
  /** The provider can be spoken to. */
  providerReady: boolean
  /** Why it cannot be paid just now, besides the form: a code that is being looked at, a gift without an address. */
  blocked?: string | undefined
  refusal: Refusal | undefined
  /** Words of the button: "Pay now". */
  label: string
  /** Below the button: what is charged. */
  note: ReactNode
  /** Resolves when the press has come to an end. */
  onPay: (details: PaymentDetails, method: Method) => Promise<void>
}

export function PaymentForm(props: PaymentFormProps) {
  const { visitor, free, card, providerReady, blocked, refusal, label, note, onPay } = props
  const [method, setMethod] = useState<Method>('card')
  const needsCard = !free && method === 'card'
  const needed: Needed = { account: visitor, card: needsCard, waiver: !free }
  const { register, handleSubmit, formState, trigger, setError, control } = useForm<PaymentDetails, Needed>({
    mode: 'onTouched',
    defaultValues: { ...useTillDraft.getState(), password: '', waiver: false },
    context: needed,
    resolver: checked,
  })
  const { errors } = formState
  const details = useWatch({ control }) as PaymentDetails
  const isWhole = Object.keys(problemsOf(details, needed)).length === 0
  const [busy, setBusy] = useState(false)
  const [edited, setEdited] = useState(false)
  const running = useRef(false)
  const id = useId()
  const field = (name: keyof PaymentDetails) => `${id}-${name}`

  useEffect(() => {
    const { email, firstName, lastName, cardholder, countryCode } = details
    useTillDraft.setState({ email, firstName, lastName, cardholder, countryCode })
    setEdited(true)
  }, [details])
  useEffect(() => {
    if (!refusal) return
    setEdited(false)
    announce(refusal.message, 'assertive')
    if (refusal.field) setError(refusal.field, { message: refusal.message }, { shouldFocus: false })
  }, [refusal, setError])

  const pay = (by: Method) =>
    handleSubmit(async (details) => {
      // The state of a component comes a moment later than a second press (PAY-08).
      if (running.current) return
      running.current = true
      setBusy(true)
      try {
        await onPay({ ...details, email: details.email.trim() }, by)
      } finally {
        running.current = false
        setBusy(false)
      }
    })
  const choose = (next: Method) => {
    setMethod(next)
    // PayPal starts at once where everything else is filled in (PAY-11); otherwise the fields say what they lack.
    if (next !== 'paypal' || blocked || !providerReady) return
    setTimeout(() => void startAtOnce(next))
  }
  const startAtOnce = async (next: Method) => {
    // By now the card's own field is not asked for any more.
    if (await trigger()) await pay(next)()
  }

  const reason = busy ? undefined : whyNot({ blocked, free, providerReady, needsCard, card, isWhole })
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
        problems={[
          ...(failed && refusal
            ? [{ words: refusal.message, to: refusal.field && field(refusal.field) }]
            : []),
          ...(needsCard ? cardProblems(card) : []),
        ]}
        focus={failed}
      />
      {visitor && (
        <fieldset className={styles.group}>
          <legend>You</legend>
          <Field
            id={field('email')}
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="email"
            hint="Your books and your receipt go here."
            error={errors.email?.message}
            {...register('email')}
          />
          <div className={styles.two}>
            <Field
              label="First name"
              autoComplete="given-name"
              error={errors.firstName?.message}
              {...register('firstName')}
            />
            <Field
              label="Last name"
              autoComplete="family-name"
              error={errors.lastName?.message}
              {...register('lastName')}
            />
          </div>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            hint={PASSWORD_TOO_SHORT}
            error={errors.password?.message}
            {...register('password')}
          />
          <CountryField error={errors.countryCode?.message} {...register('countryCode')} />
        </fieldset>
      )}
      {!free && (
        <fieldset className={styles.group}>
          <legend>Payment</legend>
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
          {/* Kept in the page, so that a card typed in is still there after a look at PayPal. */}
          <div className={styles.card} hidden={method !== 'card'}>
            <Field
              label="Name on card"
              autoComplete="cc-name"
              error={errors.cardholder?.message}
              {...register('cardholder')}
            />
            <CardFields card={card} />
          </div>
          <Checkbox
            label="I want my books at once. I know that I can’t cancel once they are in my library."
            error={errors.waiver?.message}
            {...register('waiver')}
          />
        </fieldset>
      )}
      <div className={styles.go}>
        <Button type="submit" look="beak" tall busy={busy} disabledReason={reason}>
          <Icon of={LockIcon} size={20} />
          {failed ? 'Ups! Error!' : label}
        </Button>
        <p>{note}</p>
      </div>
    </form>
  )
}

function checked(details: PaymentDetails, needed: Needed | undefined): ResolverResult<PaymentDetails> {
  const problems = needed ? problemsOf(details, needed) : {}
  const errors: FieldErrors<PaymentDetails> = Object.fromEntries(
    Object.entries(problems).map(([field, message]) => [field, { type: 'validate', message }]),
  )
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: details, errors: {} }
}

interface Whether {
  blocked: string | undefined
  free: boolean
  providerReady: boolean
  needsCard: boolean
  card: Card
  isWhole: boolean
}

/** One reason at a time, the one that can be put right first. */
function whyNot({ blocked, free, providerReady, needsCard, card, isWhole }: Whether): string | undefined {
  if (blocked) return blocked
  if (!isWhole) return 'Fill in every field first.'
  if (free) return undefined
  if (!providerReady || (needsCard && !card.ready)) return 'Our card provider is not ready yet.'
  return needsCard && !card.complete ? 'Fill in your card’s number, expiry and CVC first.' : undefined
}

function cardProblems(card: Card) {
  return (['cardNumber', 'cardExpiry', 'cardCvc'] as const).flatMap((part) =>
    card.parts[part].problem ? [{ words: card.parts[part].problem, onFollow: () => card.focus(part) }] : [],
  )
}
