import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { STARTER_PACK } from '#contract/limits.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { emailRules, holdsLink } from '#features/account/validation.ts'
import { STARTER_PACK_OFFER } from '#features/cards/DrawnCard.tsx'
import { askForStarterPack } from '#features/outlets/queries.ts'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field, SelectField } from '#ui/Field.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { useWrite } from '#writes/use-write.ts'
import styles from './reseller.module.css'

/** The offer and, once it is pressed, the form below it. What was sent replaces both. */
export function StarterPack() {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) return <Thanks email={sentTo} />
  return (
    <>
      <p className={styles.ways}>
        <Button
          look={isOpen ? 'quiet' : 'beak'}
          tall
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          Ask for a starter pack
        </Button>
        <span className="quiet">{STARTER_PACK_OFFER}</span>
      </p>
      {isOpen && <PackForm id={id} onSent={setSentTo} />}
    </>
  )
}

const FIELDS = ['shop', 'name', 'email', 'town', 'packs'] as const
const EMPTY = { shop: '', name: '', email: '', town: '', packs: '1' }

const filled = (message: string) => ({ validate: (text: string) => text.trim() !== '' || message })

function PackForm({ id, onSent }: { id: string; onSent: (email: string) => void }) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({ defaultValues: EMPTY })
  const { errors } = formState
  useEffect(() => setFocus('shop'), [setFocus])
  const { write, busy, refusal } = useWrite(askForStarterPack, {
    onSuccess: (_, { email }) => onSent(email),
    form: { setError, fields: FIELDS },
  })
  const send = handleSubmit(({ shop, name, email, town, packs }) =>
    write({
      ...{ shop: shop.trim(), name: name.trim(), email: email.trim(), town: town.trim() },
      packs: Number(packs),
    }),
  )
  return (
    <form id={id} className={styles.packForm} noValidate onSubmit={(event) => void send(event)}>
      <Refusal message={refusal} />
      <Field
        label="Your bookshop"
        autoComplete="organization"
        maxLength={STARTER_PACK.shop}
        error={errors.shop?.message}
        {...register('shop', filled('Fill in your shop’s name'))}
      />
      <Field
        label="Your name"
        autoComplete="name"
        maxLength={STARTER_PACK.name}
        error={errors.name?.message}
        {...register('name', {
          validate: (name) =>
            name.trim() === '' ? 'Fill in your name' : !holdsLink(name) || ACCOUNT_MESSAGES.nameHoldsLink,
        })}
      />
      <EmailField label="Your email" error={errors.email?.message} {...register('email', emailRules)} />
      <Field
        label="Postal town"
        autoComplete="address-level2"
        maxLength={STARTER_PACK.town}
        error={errors.town?.message}
        {...register('town', filled('Fill in the town we’d post them to'))}
      />
      <SelectField label="How many" error={errors.packs?.message} {...register('packs')}>
        {Array.from({ length: STARTER_PACK.most }, (_, index) => index + 1).map((packs) => (
          <option key={packs} value={packs}>
            {plural(packs, 'pack')}, {packs * STARTER_PACK.cards} cards
          </option>
        ))}
      </SelectField>
      <div>
        <Button type="submit" look="beak" busy={busy}>
          Send
        </Button>
      </div>
      <p className="quiet">We use this to send you the cards, and delete it after a year.</p>
    </form>
  )
}

/** Focused when it appears, so that screen readers announce it. */
function Thanks({ email }: { email: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <p ref={box} tabIndex={-1} className={styles.ways}>
      Thank you. We’ve emailed a copy to {email}, and we’ll write to you about where to send the cards.
    </p>
  )
}
