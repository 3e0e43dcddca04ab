import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form } from '../../ui/Field.tsx'

export function NewPage() {
  const navigate = useNavigate()
  const form = useForm<{ title: string }>({ defaultValues: { title: '' } })
  const draft = useFormDraft('new page', form)
  const { write, busy, refusal } = useAct(
    ({ title }: { title: string }) =>
      officeCall('POST /api/office/documents', { body: { kind: 'page', title } }),
    {
      changes: [['pages']],
      form: { setError: form.setError, fields: ['title'] },
      onDone: ({ kind, key }) => {
        draft.discard()
        void navigate({ to: '/pages/$kind/$key', params: { kind, key } })
      },
    },
  )
  return (
    <Drawer title="Write a page" onClose={() => void navigate({ to: '/pages' })}>
      <Form onSubmit={form.handleSubmit((given) => void write(given))}>
        <Refusal message={refusal} />
        <Field
          label="Title"
          hint="Its address is made of it: “Opening hours” is at /info/opening-hours."
          maxLength={300}
          error={form.formState.errors.title?.message}
          {...form.register('title', { required: 'What is it called?' })}
        />
        <Button look="beak" type="submit" busy={busy} sends>
          Start writing
        </Button>
      </Form>
    </Drawer>
  )
}
