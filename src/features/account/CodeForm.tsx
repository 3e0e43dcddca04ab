import { useForm } from 'react-hook-form'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import styles from './AccountForm.module.css'
import { confirmAddress } from './mutations.ts'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'
import { codeRules } from './validation.ts'

const WRONG = 'That code isn’t right, or it’s too old. Ask for a new email in your settings.'

/** For whoever reads the mail elsewhere: an installed app is another browser than the link opens (trap 23). */
export function CodeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, WRONG))

  const onSubmit = handleSubmit(async ({ code }) => {
    if (!(await submit(() => confirmAddress(code)))) return
    announce('Your address is confirmed.')
    onConfirmed()
  })
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
      <Field
        label="Code from the email"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Eight digits, such as 1234-5678."
        error={formState.errors.code?.message}
        {...register('code', codeRules)}
      />
      <Button type="submit" look="quiet" busy={formState.isSubmitting}>
        Confirm my email
      </Button>
    </form>
  )
}
