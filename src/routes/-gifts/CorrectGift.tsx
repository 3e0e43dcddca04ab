import { type FormEvent, useId, useState } from 'react'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from '#contract/limits.ts'
import { arrivalInWords, type GiftDraft, problemsOfGiftDraft } from '#features/gifts/draft.ts'
import { correctGift, type Given, isMembership, recipientOf } from '#features/gifts/given.ts'
import { dayIn, todayIn, typedDay } from '#format/calendar-day.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { DayField } from '#ui/DayField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmailField, Field, TextArea } from '#ui/Field.tsx'
import { useNow } from '#ui/use-now.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { serverMessage, useWrite } from '#writes/use-write.ts'

interface CorrectGiftProps {
  gift: Given
  /** From the link in the giver's email, for a giver who isn't logged in. */
  token?: string | undefined
  onClose: () => void
  onCorrected: () => Promise<void>
}

/**
 * The giver can correct the recipient and the note until the gift is claimed, and the day until it has come.
 */
export function CorrectGift({ gift, token, onClose, onCorrected }: CorrectGiftProps) {
  const id = useId()
  const now = useNow()
  /**
   * The time zone of the original order, as in the list: an edit from another zone must not move the
   * delivery.
   */
  const membership = isMembership(gift) ? gift : undefined
  const zone = membership?.giftTimeZone ?? 'UTC'
  const isChristmas = membership?.christmas ?? false
  const [draft, setDraft] = useState<GiftDraft>({
    firstName: membership?.giftRecipientFirstName ?? '',
    email: gift.giftEmail,
    message: gift.giftMessage ?? '',
    day: membership?.giftDeliveryDate ? typedDay(membership.giftDeliveryDate) : '',
  })
  const [tried, setTried] = useState(false)
  const isScheduled = gift.state === 'scheduled' && membership?.giftDeliveryDate != null
  const today = todayIn(zone, now)
  const { day: dayProblem, ...problems } = problemsOfGiftDraft(draft, isChristmas ? 'xmas' : 'gift', today)
  const chosen = dayIn(draft.day)
  const write = (typed: Partial<GiftDraft>) => setDraft((before) => ({ ...before, ...typed }))

  const correction = {
    giftEmail: draft.email.trim(),
    ...(membership ? { giftRecipientFirstName: draft.firstName.trim() || null } : {}),
    giftMessage: draft.message.trim() || null,
    ...(isScheduled && chosen && chosen !== membership?.giftDeliveryDate
      ? { giftDeliveryDate: chosen, giftTimeZone: zone }
      : {}),
  }
  const {
    write: save,
    busy,
    refusal,
  } = useWrite(() => correctGift(gift, correction, token), {
    onSuccess: onCorrected,
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(problems).length === 0 && !(isScheduled && dayProblem)) void save()
  }
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={`Edit the gift for ${recipientOf(gift)}`}
      closeLabel="Cancel"
      actions={
        <Button type="submit" form={id} look="solid" busy={busy}>
          Save
        </Button>
      }
    >
      <form id={id} className="stack gap-4" noValidate onSubmit={submit}>
        {membership && (
          <Field
            label={isChristmas ? 'Their first name *' : 'Their first name'}
            autoComplete="off"
            maxLength={NAME_LENGTH}
            value={draft.firstName}
            error={tried ? problems.firstName : undefined}
            onChange={(event) => write({ firstName: event.target.value })}
          />
        )}
        <EmailField
          label="Their email *"
          autoComplete="off"
          value={draft.email}
          error={tried ? problems.email : undefined}
          hint={
            gift.state === 'scheduled'
              ? 'Nothing has been sent yet. It goes to this address on the day.'
              : 'We’ll send a new link. The one before stops working.'
          }
          onChange={(event) => write({ email: event.target.value })}
        />
        <TextArea
          label="In your own words"
          rows={3}
          maxLength={GIFT_MESSAGE_LENGTH}
          value={draft.message}
          onChange={(event) => write({ message: event.target.value })}
        />
        {isScheduled && (
          <DayField
            folded
            label="Delivery date *"
            value={draft.day}
            first={today}
            error={tried ? dayProblem : undefined}
            hint={chosen && chosen >= today ? arrivalInWords(chosen, zone, now) : undefined}
            onChange={(day) => write({ day })}
          />
        )}
        <Refusal message={refusal} />
      </form>
    </Dialog>
  )
}
