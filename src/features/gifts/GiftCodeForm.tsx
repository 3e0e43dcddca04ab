import { useId, useState, type FormEvent } from 'react'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Refused, serverMessage, useWrite } from '#writes/use-write.ts'
import { claimGift, seeGift, type Found } from './claim.ts'
import styles from './gifts.module.css'

interface GiftCodeFormProps {
  onClaimed: (claimed: Found) => Promise<string>
}

/**
 * For an installed app, because links in emails open in the browser instead (trap 23): the user types the
 * code shown next to the link. Case and spaces don't matter.
 */
export function GiftCodeForm({ onClaimed }: GiftCodeFormProps) {
  const [open, setOpen] = useState(false)
  const [code, setCode] = useState('')
  const id = useId()
  const claim = async (typed: string) => {
    const found = await seeGift(typed)
    if (!found) throw new Refused('We don’t know this code. Please check for typos and try again.')
    return onClaimed(await claimGift(found, typed))
  }
  const { write, busy, refusal, reset } = useWrite(claim, {
    onSuccess(claimed) {
      announce(claimed)
      setCode('')
      setOpen(false)
    },
    message: serverMessage,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() !== '') void write(code.trim())
  }
  return (
    <div className={styles.code}>
      <Button look="text" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Use a gift code
      </Button>
      <form id={id} hidden={!open} className={styles.form} onSubmit={submit} noValidate>
        <Field
          label="Gift code"
          hint="You’ll find it in the gift email."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={128}
          value={code}
          error={refusal || undefined}
          onChange={(event) => {
            setCode(event.target.value)
            if (!busy) reset()
          }}
        />
        <Button type="submit" look="quiet" busy={busy} disabled={code.trim() === ''}>
          Claim
        </Button>
      </form>
    </div>
  )
}
