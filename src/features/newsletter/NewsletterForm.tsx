import { type FormEvent, useEffect, useState } from 'react'
import { isEmailAddress } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { useWrite } from '#writes/use-write.ts'
import { subscribe } from './mutations.ts'
import styles from './NewsletterForm.module.css'

/** INFO-05. */
const SAID_FOR_MS = 10_000

interface NewsletterFormProps {
  /** `ink` in the footer, `page` on its own page. */
  tone?: 'ink' | 'page'
}

/** Typed text stays when it fails (ERR-15). Without a form library, because it is on every page. */
export function NewsletterForm({ tone = 'page' }: NewsletterFormProps) {
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState<{ words: string }>()
  const { write, busy } = useWrite(subscribe, {
    onSuccess: () => {
      setEmail('')
      say(MESSAGES.newsletterThanks)
    },
    onFailure: (failure) => {
      // The server checks addresses more strictly.
      const isRefused = failure instanceof NetProblem && failure.status === 422
      const message = isRefused ? MESSAGES.emailMustBeValid : MESSAGES.newsletterFailed
      setProblem(message)
      announce(message)
    },
  })

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.querySelector('input')
    // Text typed before hydration is in the field, but not in the state.
    const typed = field?.value ?? email
    setEmail(typed)
    const wrong = emailProblem(typed)
    setProblem(wrong)
    // Screen readers read the error with the field.
    if (wrong) field?.focus()
    if (wrong || busy) return
    setSaid(undefined)
    await write(typed.trim())
  }
  const say = (words: string) => {
    // A new object each time, so that the same message starts the ten seconds again.
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

/** INFO-04; undefined if the address is valid. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return MESSAGES.emailRequired
  return isEmailAddress(email) ? undefined : MESSAGES.emailMustBeValid
}
