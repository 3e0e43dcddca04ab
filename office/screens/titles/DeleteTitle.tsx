import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { Loading } from '../../ui/states.tsx'
import { type EditedTitle, titleQuery } from './title-query.ts'

export function DeleteTitle() {
  const { slug } = useParams({ from: '/shell/titles/$slug/delete' })
  const navigate = useNavigate()
  const { data } = useQuery(titleQuery(slug))
  return (
    <Drawer
      title="Delete this title"
      onClose={() => void navigate({ to: '/titles/$slug', params: { slug } })}
    >
      {data ? <DeleteForm title={data} /> : <Loading what="the title" />}
    </Drawer>
  )
}

const FORMATS = { audio_book: 'The audiobook only', e_book: 'The e-book only' } as const

function DeleteForm({ title: { slug, books } }: { readonly title: EditedTitle }) {
  const navigate = useNavigate()
  const free = books.filter(({ isBound }) => !isBound)
  const [which, setWhich] = useState<keyof typeof FORMATS | 'all'>(
    free.length === books.length ? 'all' : (free[0]?.format ?? 'all'),
  )
  const { title } = books[0]!
  const form = useForm({ defaultValues: { name: '', because: '' } })
  const draft = useFormDraft(`title ${slug} delete`, form, 'name')
  const isWhole = which === 'all'
  const remove = useAct(
    (given: { readonly name: string; readonly because: string }) =>
      officeCall('POST /api/office/titles/{slug}/delete', {
        params: { slug },
        body: { ...given, ...(which === 'all' ? {} : { format: which }) },
      }),
    {
      changes: isWhole ? [['titles']] : [['titles'], ['title', slug]],
      form: { setError: form.setError, fields: ['name', 'because'] },
      done: () => `${title} is deleted.`,
      onDone: () => {
        draft.discard()
        return isWhole ? navigate({ to: '/titles' }) : navigate({ to: '/titles/$slug', params: { slug } })
      },
    },
  )
  if (free.length === 0)
    return (
      <p>
        Somebody owns {title}, or it’s in an order, a gift or on a card, so it stays. Retire it instead: it
        leaves the shop, and those who have it keep it.
      </p>
    )
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((given) => void remove.write(given))}>
      <Refusal message={remove.refusal} />
      <p>
        It’s gone at once and can’t be brought back here. Bags, lists and bookmarks lose it. Nobody owns it or
        has paid for it. If its folder is imported again, it comes back as a new title.
      </p>
      {books.length > 1 && (
        <RadioField
          legend="What"
          name="format"
          value={which}
          onChange={setWhich}
          options={[
            ...(free.length === books.length ? [{ value: 'all' as const, label: 'Both formats' }] : []),
            ...free.map(({ format }) => ({ value: format, label: FORMATS[format] })),
          ]}
        />
      )}
      <Field
        label={`Type ${title} to delete it`}
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name', { required: `Type ${title}.` })}
      />
      <Field
        label="Why"
        hint="Only the team sees this."
        maxLength={500}
        error={errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <Button look="danger" type="submit" busy={remove.busy} sends>
        Delete it for good
      </Button>
    </Form>
  )
}
