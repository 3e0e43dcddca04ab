import { type ReactNode, useState } from 'react'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from '#contract/limits.ts'
import { dayIn, todayIn } from '#format/calendar-day.ts'
import { DayField } from '#ui/DayField.tsx'
import { Display } from '#ui/Display.tsx'
import { EmailField, Field, TextArea } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import type { Plan, PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { price } from '#format/money.ts'
import type { GiftCheck } from './address-check.ts'
import {
  arrivalInWords,
  type GiftField,
  useGiftCheck,
  useGiftDraft,
  useGiftProblems,
  useGiverZone,
  writeGiftDraft,
} from './draft.ts'
import styles from './gifts.module.css'
import { type Occasion, offered } from './occasions.ts'

interface RecipientFieldsProps {
  occasion: Occasion
  from?: number
  /** Shows every problem, not only those of fields that lost the focus. */
  tried: boolean
  nowMs: number
  /** A link to the form for Christmas. */
  chooseDay?: ReactNode
  /** The prefix of the fields' ids, so that an error summary can link to them. */
  id: string
}

export function RecipientFields({ occasion, from, tried, nowMs, chooseDay, id }: RecipientFieldsProps) {
  const { firstName, email, message, day, check } = useGiftDraft()
  const [left, setLeft] = useState<ReadonlySet<GiftField>>(new Set())
  const zone = useGiverZone()
  const problems = useGiftProblems(occasion, nowMs)
  const checker = useGiftCheck()

  const leave = (field: GiftField) => setLeft((known) => new Set(known).add(field))
  const problem = (field: keyof typeof problems) => (tried || left.has(field) ? problems[field] : undefined)
  const numbered = (part: number, words: string) => (from ? `${from + part}. ${words}` : words)
  const recipient = firstName.trim() || 'them'
  const chosen = dayIn(day)
  return (
    <>
      <GiftSection title={numbered(0, 'Who it’s for')}>
        <div className={styles.two}>
          <Field
            id={`${id}-firstName`}
            label={occasion === 'xmas' ? 'Their first name *' : <Optional words="Their first name" />}
            autoComplete="off"
            maxLength={NAME_LENGTH}
            value={firstName}
            error={problem('firstName')}
            onChange={(event) => writeGiftDraft({ firstName: event.target.value })}
            onBlur={() => leave('firstName')}
          />
          <EmailField
            id={`${id}-email`}
            label="Their email *"
            autoComplete="off"
            value={email}
            error={problem('email')}
            hint={HINTS[check] ?? 'The gift belongs to this address. You can correct it until it’s claimed.'}
            onChange={(event) => {
              writeGiftDraft({ email: event.target.value })
              checker().typed(event.target.value)
            }}
            onFocus={() => setLeft((known) => new Set([...known].filter((field) => field !== 'email')))}
            onBlur={() => {
              leave('email')
              checker().left(email, check)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') leave('email')
            }}
          />
        </div>
      </GiftSection>
      <GiftSection title={numbered(1, 'A note')}>
        <TextArea
          id={`${id}-message`}
          label={<Optional words="In your own words" />}
          rows={4}
          maxLength={GIFT_MESSAGE_LENGTH}
          value={message}
          onChange={(event) => writeGiftDraft({ message: event.target.value })}
        />
      </GiftSection>
      <GiftSection title={numbered(2, 'The day')}>
        <DayField
          id={`${id}-day`}
          folded={occasion !== 'xmas'}
          label={occasion === 'xmas' ? 'Delivery date *' : <Optional words="Delivery date" />}
          value={day}
          first={zone && todayIn(zone, nowMs)}
          error={problem('day')}
          hint={
            zone && chosen && !problems.day
              ? arrivalInWords(chosen, zone, nowMs)
              : occasion === 'xmas'
                ? ' '
                : `Without a day we’ll write to ${recipient} as soon as you’ve paid.`
          }
          onChange={(typed) => writeGiftDraft({ day: typed })}
          onBlur={() => leave('day')}
        />
        {chooseDay && <div>{chooseDay}</div>}
      </GiftSection>
    </>
  )
}

/** A member can get another membership: it starts when the current one ends (GIFT-06). */
const HINTS: Partial<Record<GiftCheck, ReactNode>> = {
  checking: 'Checking the address',
  duplicate: (
    <>
      <b className={styles.known}>Already have a subscription</b>
      Your gift will wait, and start automatically when theirs ends.
    </>
  ),
}

const Optional = ({ words }: { words: string }) => (
  <>
    {words} <span className={styles.optional}>(optional)</span>
  </>
)

export const GiftSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend>
      <Display as="h2" size="sm">
        {title}
      </Display>
    </legend>
    {children}
  </fieldset>
)

interface PlanTilesProps {
  occasion: Occasion
  chosen: PlanId
  onChoose: (plan: PlanId) => void
}

export function PlanTiles({ occasion, chosen, onChoose }: PlanTilesProps) {
  const shown = offered(occasion).map((id) => plans()[id])
  const types = [...new Set(shown.map(({ type }) => type))]
  return (
    <div className={styles.tiers}>
      {types.map((type) => (
        <div key={type} className={styles.tier}>
          <p className={styles.name}>
            {type} <span>{brings(shown.find((plan) => plan.type === type)!)}</span>
          </p>
          <div className={styles.tiles}>
            {shown
              .filter((plan) => plan.type === type)
              .map(({ id, months, priceMinor }) => (
                <label key={id} className={styles.tile}>
                  <input
                    type="radio"
                    name="gift-plan"
                    value={id}
                    checked={id === chosen}
                    aria-label={`${type}, ${LENGTH[months].toLowerCase()}, ${price(priceMinor)}`}
                    onChange={() => onChoose(id)}
                  />
                  <span className={styles.length}>
                    <Icon of={CheckIcon} size={20} />
                    {LENGTH[months]}
                  </span>
                  <b>{price(priceMinor)}</b>
                </label>
              ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const LENGTH = { 1: 'A month', 6: 'Six months', 12: 'A year' } as const
const brings = ({ creditsPerMonth }: Plan): string =>
  creditsPerMonth === 0
    ? 'lower prices, members’ recordings'
    : `${creditsPerMonth} free audiobook${creditsPerMonth === 1 ? '' : 's'} a month`
