import { useEffect, useState, type FormEvent } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { emailProblem } from './email.ts'
import { subscribe } from './mutations.ts'
import styles from './NewsletterForm.module.css'

/** The message stands this long (INFO-05). */
const SAID_FOR_MS = 10_000

interface NewsletterFormProps {
  /** On ink, in the footer; on paper, on its own page. */
  tone?: 'ink' | 'page'
}

/** One field, one button. Typed text stays when it fails (ERR-15). Small, because it is on every page. */
export function NewsletterForm({ tone = 'page' }: NewsletterFormProps) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState<{ words: string }>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.querySelector('input')
    // The field, not yet the state, holds text typed before the page came alive.
    const typed = field?.value ?? email
    setEmail(typed)
    const wrong = emailProblem(typed)
    setProblem(wrong)
    // Its words are read with it.
    if (wrong) field?.focus()
    if (wrong || busy) return
    setBusy(true)
    setSaid(undefined)
    try {
      await subscribe(typed.trim())
      setEmail('')
      say(MESSAGES.newsletterThanks)
    } catch (failure) {
      // The server's eye for an address is keener than ours.
      const refused = failure instanceof NetProblem && failure.status === 422
      const words = refused ? MESSAGES.emailMustBeValid : MESSAGES.newsletterFailed
      setProblem(words)
      announce(words)
    } finally {
      setBusy(false)
    }
  }
  const say = (words: string) => {
    // An object of its own each time: the same words said again stand for as long again.
    setSaid({ words })
    announce(words)
  }
  useEffect(() => {
    if (!said) return undefined
    const timer = setTimeout(() => setSaid(undefined), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [said])
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
      {said && <p className={styles.said}>{said.words}</p>}
    </form>
  )
}
