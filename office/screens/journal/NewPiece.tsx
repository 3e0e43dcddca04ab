import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import type { PieceKind } from '#contract/office/documents.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { KIND_WORDS } from './kind-words.ts'

interface Fields {
  readonly title: string
  readonly kind: PieceKind
}

export function NewPiece() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/journal' })
  const form = useForm<Fields>({ defaultValues: { title: '', kind: 'article' } })
  const draft = useFormDraft('new piece', form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  const { write, busy, refusal } = useAct(
    (body: Fields) => officeCall('POST /api/office/documents', { body }),
    {
      changes: [['journal']],
      form: { setError: form.setError, fields: ['title'] },
      onDone: ({ kind: made, key }) => {
        draft.discard()
        void navigate({ to: '/journal/$kind/$key', params: { kind: made, key } })
      },
    },
  )
  return (
    <Drawer title="Write a piece" onClose={close}>
      <Form onSubmit={form.handleSubmit((given) => void write(given))}>
        <Refusal message={refusal} />
        <Field
          label="Title"
          hint="Its address is made of it, and stays when the title changes."
          maxLength={300}
          error={form.formState.errors.title?.message}
          {...form.register('title', { required: 'What is it called, for now?' })}
        />
        <RadioField
          legend="Kind"
          name="kind"
          value={kind}
          onChange={(value) => form.setValue('kind', value)}
          options={(['article', 'interview', 'discussion'] as const).map((value) => ({
            value,
            label: KIND_WORDS[value]!.one,
          }))}
        />
        <Button look="beak" type="submit" busy={busy} sends>
          Start writing
        </Button>
      </Form>
    </Drawer>
  )
}
