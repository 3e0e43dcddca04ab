import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import type { Profile } from '#contract/office/profiles.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, TextAreaField } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'

export function ProfileDrawer() {
  const { kind: typed, id } = useParams({ from: '/shell/profiles/$kind/$id' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/profiles' })
  const kind = typed === 'person' || typed === 'publisher' ? typed : undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['profiles', 'one', typed, id],
    queryFn: () =>
      officeCall('GET /api/office/profiles/{kind}/{id}', { params: { kind: kind!, id: Number(id) } }),
    enabled: kind !== undefined && /^\d+$/.test(id),
  })
  return (
    <Drawer title={data?.name ?? 'Author or publisher'} onClose={close}>
      {data ? (
        <Words key={`${typed} ${id}`} profile={data} onDone={close} />
      ) : kind === undefined || !/^\d+$/.test(id) ? (
        <Empty title="No author, narrator or publisher at this address." />
      ) : error ? (
        <Failed what="The page" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the page" />
      )}
    </Drawer>
  )
}

const FIELDS = ['about', 'website'] as const

function Words({ profile, onDone }: { readonly profile: Profile; readonly onDone: () => void }) {
  const { kind, id, name, path, titles, folder } = profile
  const mayChange = useMay()('titles.change')
  const form = useForm({ defaultValues: { about: profile.about ?? '', website: profile.website ?? '' } })
  const draft = useFormDraft(`profile ${kind} ${id}`, form)
  const typed = useWatch({ control: form.control })
  const { errors } = form.formState
  // A text that equals the folder's is sent as null, so that later changes of the folder still apply.
  const own = (field: (typeof FIELDS)[number]) => {
    const text = (typed[field] ?? '').trim()
    return text === (folder[field] ?? '') ? null : text
  }
  const save = useAct(
    () =>
      officeCall('PUT /api/office/profiles/{kind}/{id}', {
        params: { kind, id },
        body: { about: own('about'), website: kind === 'person' ? null : own('website') },
      }),
    {
      changes: [['profiles']],
      form: { setError: form.setError, fields: FIELDS },
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  const followed = (field: (typeof FIELDS)[number]) =>
    own(field) !== null &&
    folder[field] !== null && (
      <p className="hint folder-says">
        Set here. The folder says “{folder[field]}”{' '}
        {mayChange && (
          <TextButton onClick={() => form.setValue(field, folder[field] ?? '', { shouldDirty: true })}>
            Use the folder’s
          </TextButton>
        )}
      </p>
    )
  return (
    <Form onSubmit={form.handleSubmit(() => void (mayChange && save.write()))}>
      <Refusal message={save.refusal} />
      <p className="muted">
        {kind === 'publisher' ? 'Publisher' : 'Author or narrator'} of {titles}{' '}
        {titles === 1 ? 'title' : 'titles'}.{' '}
        {path ? (
          <a className="text-button" href={path} target="_blank" rel="noopener">
            See the page
          </a>
        ) : (
          'There is no page before a title is published.'
        )}
      </p>
      <div>
        <TextAreaField
          label={`About ${name}`}
          hint="Two sentences. Empty says nothing."
          rows={5}
          maxLength={2000}
          readOnly={!mayChange}
          error={errors.about?.message}
          {...form.register('about')}
        />
        {followed('about')}
      </div>
      {kind === 'publisher' && (
        <div>
          <Field
            label="Website"
            type="url"
            maxLength={300}
            readOnly={!mayChange}
            error={errors.website?.message}
            {...form.register('website')}
          />
          {followed('website')}
        </div>
      )}
      {mayChange ? (
        <Button look="beak" type="submit" busy={save.busy} sends>
          Save
        </Button>
      ) : (
        <p className="muted">Owners and editors can change these words.</p>
      )}
    </Form>
  )
}
