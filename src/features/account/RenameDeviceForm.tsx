import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { DEVICE_NAME_LENGTH } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import styles from './Devices.module.css'
import { Refusal } from './Refusal.tsx'
import { refusalWords } from './refusal.ts'
import { useSubmit } from './use-submit.ts'

interface RenameDeviceFormProps {
  name: string
  rename: (name: string) => Promise<unknown>
  onDone: () => void
}

export function RenameDeviceForm({ name, rename, onDone }: RenameDeviceFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm({ defaultValues: { name } })
  const { refusal, submit } = useSubmit((problem) => refusalWords(problem, MESSAGES.somethingWentWrong), {
    setError,
    fields: ['name'],
  })
  useEffect(() => setFocus('name'), [setFocus])
  const onSubmit = handleSubmit(async (typed) => {
    if (await submit(() => rename(typed.name.trim()))) onDone()
  })

  return (
    <form className={styles.rename} onSubmit={(event) => void onSubmit(event)} noValidate>
      <Refusal words={refusal} />
      <Field
        label="Name of this device"
        hint="Such as “Kitchen tablet”."
        autoComplete="off"
        maxLength={DEVICE_NAME_LENGTH}
        error={formState.errors.name?.message}
        {...register('name', { validate: (typed) => typed.trim() !== '' || 'Give it a name' })}
      />
      <div className="row gap-3">
        <Button type="submit" look="solid" busy={formState.isSubmitting}>
          Save
        </Button>
        <Button look="text" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
