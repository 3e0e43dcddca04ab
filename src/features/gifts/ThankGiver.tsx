import { type FormEvent, useState } from 'react'
import { THANKS_LENGTH } from '#contract/limits.ts'
import { call } from '#net/call.ts'
import { tabStorage } from '#storage/page-storage.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Refused, serverMessage, useWrite } from '#writes/use-write.ts'
import type { Found } from './claim.ts'
import styles from './gifts.module.css'

/** One line from the recipient to the giver, once. What is typed survives a reload. */
export function ThankGiver({ found, onThanked }: { found: Found; onThanked: (found: Found) => void }) {
  const { id, giverName, thanks } = found.gift
  const stored = `thanks:${id}`
  const [message, setMessage] = useState(() => tabStorage.getItem(stored) ?? '')
  const [isSent, setSent] = useState(false)
  const giver = giverName || 'the giver'
  const { write, busy, refusal } = useWrite(
    () => {
      if (message.trim() === '') throw new Refused('Please write a line first.')
      return thank(found, message.trim())
    },
    {
      onSuccess: (thanked) => {
        tabStorage.removeItem(stored)
        setSent(true)
        onThanked(thanked)
        announce(`Your thank you is on its way to ${giver}.`)
      },
      message: serverMessage,
    },
  )
  if (isSent) return <p className={styles.thanks}>Your thank you is on its way to {giver}.</p>
  if (thanks === 'sent') return <p className={styles.thanks}>You’ve thanked {giver}.</p>
  if (thanks === null) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void write()
  }
  return (
    <form noValidate className={styles.thanks} onSubmit={submit}>
      <Field
        label={`Thank ${giver} in one line`}
        value={message}
        maxLength={THANKS_LENGTH}
        autoComplete="off"
        enterKeyHint="send"
        error={refusal || undefined}
        onChange={({ target }) => {
          tabStorage.setItem(stored, target.value)
          setMessage(target.value)
        }}
      />
      <Button type="submit" look="solid" busy={busy}>
        Send
      </Button>
    </form>
  )
}

async function thank({ kind, gift: { id } }: Found, message: string): Promise<Found> {
  const options = { params: { id }, body: { message } }
  return kind === 'subscriptions'
    ? { kind, gift: await call('POST /api/subscriptions/gifts/{id}/thanks', options) }
    : { kind, gift: await call('POST /api/gifts/{id}/thanks', options) }
}
