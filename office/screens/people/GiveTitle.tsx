import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { WholePerson } from '#contract/office/people.ts'
import type { ListedTitle } from '#contract/office/titles.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Failed } from '../../ui/states.tsx'
import { changesOf } from './person-query.ts'
import './people.css'

const SHORTEST = 2

const inWords = ({ title, format }: Pick<ListedTitle, 'title' | 'format'>): string =>
  `${title}, ${format === 'audio_book' ? 'audiobook' : 'e-book'}`

interface GiveTitleProps {
  readonly person: WholePerson
  readonly onDone: () => void
}

interface Fields {
  readonly words: string
  readonly chosen: { readonly id: number; readonly name: string } | null
  readonly because: string
}

/** A free copy for an author or the press, in one format. */
export function GiveTitle({ person: { id, firstName }, onDone }: GiveTitleProps) {
  const form = useForm<Fields>({ defaultValues: { words: '', chosen: null, because: '' } })
  const draft = useFormDraft(`person ${id} title`, form)
  const [words, chosen] = useWatch({ control: form.control, name: ['words', 'chosen'] })
  const [isMissing, setMissing] = useState(false)
  const asked = words.trim()
  const isAsked = asked.length >= SHORTEST && chosen === null
  const { data, error, refetch } = useQuery({
    queryKey: ['titles', 'found', asked],
    queryFn: () => officeCall('GET /api/office/titles', { query: { words: asked, limit: 6 } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const titles = isAsked ? (data?.rows ?? []) : []
  const give = useAct(
    (body: { readonly book: number; readonly because: string }) =>
      officeCall('POST /api/office/people/{id}/titles', { params: { id }, body }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['because'] },
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  const submit = ({ because }: Fields) => {
    setMissing(chosen === null)
    if (chosen) void give.write({ book: chosen.id, because })
  }
  return (
    <Form onSubmit={form.handleSubmit(submit)}>
      <Refusal message={give.refusal} />
      {chosen ? (
        <p className="spread">
          <b className="strong">{chosen.name}</b>
          <TextButton onClick={() => form.setValue('chosen', null)}>Another title</TextButton>
        </p>
      ) : (
        <Field
          label="Which title"
          type="search"
          autoComplete="off"
          hint="A title, an author or an ISBN."
          error={isMissing ? 'Choose the title.' : undefined}
          {...form.register('words')}
        />
      )}
      {error && isAsked && <Failed what="The titles" problem={error} onRetry={() => void refetch()} />}
      {titles.length > 0 && (
        <ul className="give-to">
          {titles.map((title) => (
            <li key={title.id}>
              <button
                type="button"
                className="two-lines"
                onClick={() => form.setValue('chosen', { id: title.id, name: inWords(title) })}
              >
                <b className="strong">{inWords(title)}</b>
                <small>{title.authors}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="hint">
        {isAsked && data && titles.length === 0 ? `No title like “${asked}”.` : ''}
      </p>
      <Field
        label="Why"
        hint="Only the team sees this."
        maxLength={500}
        error={form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why: it is written into the activity log.' })}
      />
      <p>
        It comes into {firstName}’s library at once, free of charge, and stays there. {firstName} isn’t
        written to.
      </p>
      <Button look="beak" type="submit" busy={give.busy} sends>
        Give it
      </Button>
    </Form>
  )
}
