import { useState, type FormEvent } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { call } from '#net/call.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { emailProblem } from './email.ts'
import styles from './NewsletterForm.module.css'

/** The message stands this long (INFO-05). */
const SAID_FOR_MS = 10_000

interface NewsletterFormProps {
  /** On ink, in the footer; on paper, on its own page. */
  tone?: 'ink' | 'page'
}

/** One field, one button. What was typed stays when it fails (ERR-15). Small, because it is on every page. */
export function NewsletterForm({ tone = 'page' }: NewsletterFormProps) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState<string>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = emailProblem(email)
    setProblem(wrong)
    if (wrong || busy) return
    setBusy(true)
    try {
      await call('POST /api/newsletters', { body: { email: email.trim() } })
      setEmail('')
      say(MESSAGES.newsletterThanks)
    } catch {
      setProblem(MESSAGES.newsletterFailed)
    } finally {
      setBusy(false)
    }
  }
  const say = (words: string) => {
    setSaid(words)
    announce(words)
    setTimeout(() => setSaid(undefined), SAID_FOR_MS)
  }
  return (
    <form className={styles.form} data-tone={tone} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Your email"
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        value={email}
        error={problem}
        onChange={(event) => {
          setEmail(event.target.value)
          if (problem) setProblem(emailProblem(event.target.value))
        }}
        onBlur={() => email && setProblem(emailProblem(email))}
      />
      <Button type="submit" look={tone === 'page' ? 'beak' : 'solid'} busy={busy}>
        Subscribe
      </Button>
      {said && <p className={styles.said}>{said}</p>}
    </form>
  )
}
