import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { VIEW_HANDOVER_KEY } from '#contract/view-handover.ts'
import type { WholePerson } from '#contract/office/people.ts'
import { amount } from '#format/money.ts'
import { localStore } from '#storage/page-storage.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { onDay } from '../../ui/when.ts'
import { GiveTitle } from './GiveTitle.tsx'
import { changesOf, personQuery } from './person-query.ts'

interface ActProps {
  readonly person: WholePerson
  readonly onDone: () => void
}

/** What can be done for one person and needs more than a press: each has an address of its own. */
const ACTS: Readonly<
  Record<string, { readonly title: string; readonly Content: (props: ActProps) => ReactNode }>
> = {
  audiobook: { title: 'Give free audiobooks', Content: GiveAudiobooks },
  title: { title: 'Give a free copy', Content: GiveTitle },
  view: { title: 'See the shop as them', Content: SeeShop },
  membership: { title: 'Give a membership', Content: GiveMembership },
  end: { title: 'End the membership', Content: EndMembership },
  address: { title: 'Correct the address', Content: CorrectAddress },
  block: { title: 'Block the account', Content: Block },
  close: { title: 'Close the account', Content: CloseAccount },
}

export function PersonDrawer() {
  const { id, act } = useParams({ from: '/shell/people/$id/$act' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(personQuery(id))
  const close = () => void navigate({ to: '/people/$id', params: { id } })
  const { title, Content } = ACTS[act] ?? { title: 'Person', Content: undefined }
  return (
    <Drawer title={title} onClose={close}>
      {!Content ? (
        <Empty title="There is nothing at this address." />
      ) : data ? (
        <Content key={act} person={data} onDone={close} />
      ) : error ? (
        <Failed what="The person" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the person" />
      )}
    </Drawer>
  )
}

function SeeShop({ person: { id, firstName, name }, onDone }: ActProps) {
  const see = useAct(() => officeCall('POST /api/office/people/{id}/view', { params: { id } }), {
    changes: changesOf(id),
  })
  const handOver = ({ token, endsAt }: { readonly token: string; readonly endsAt: string }) => {
    localStore.setItem(VIEW_HANDOVER_KEY, [token, Date.parse(endsAt), name].join(','))
    onDone()
  }
  return (
    <div className="form">
      <Refusal message={see.refusal} />
      <p>
        You see prices, titles, orders and settings as {firstName} does, for half an hour. Nothing can be
        changed, and what they listen to isn’t shown. It is written into the log, and {firstName} sees it in
        their list of log-ins.
      </p>
      {see.data ? (
        <p>
          <a
            className={buttonClass({ look: 'beak' })}
            href="/#view"
            target="_blank"
            rel="noopener"
            onClick={() => handOver(see.data!)}
          >
            Open the shop as {firstName}
          </a>
        </p>
      ) : (
        <Button look="beak" busy={see.busy} sends onClick={() => void see.write()}>
          See the shop as {firstName}
        </Button>
      )}
      <p className="hint">
        You’ll be asked for your passkey. It opens in a tab of its own; your own log-in stays.
      </p>
    </div>
  )
}

const Why = 'Say why: it is written into the activity log.'

function GiveAudiobooks({ person: { id, firstName }, onDone }: ActProps) {
  const form = useForm({ defaultValues: { count: '1', until: '', because: '' } })
  const draft = useFormDraft(`person ${id} audiobook`, form)
  const give = useAct(
    ({
      count,
      until,
      because,
    }: {
      readonly count: string
      readonly until: string
      readonly because: string
    }) =>
      officeCall('POST /api/office/people/{id}/audiobooks', {
        params: { id },
        body: { count: Number(count), ...(until && { until }), ...(because && { because }) },
      }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['count', 'until', 'because'] },
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((given) => void give.write(given))}>
      <Refusal message={give.refusal} />
      <Field
        label="How many"
        inputMode="numeric"
        error={errors.count?.message}
        {...form.register('count', { pattern: { value: /^([1-9]|1[0-2])$/, message: 'From 1 to 12.' } })}
      />
      <Field
        label="Last day to choose"
        type="date"
        hint="Empty for two months from now."
        error={errors.until?.message}
        {...form.register('until')}
      />
      <Field label="Why" hint="Only the team sees this." maxLength={500} {...form.register('because')} />
      <p>{firstName} is told by email. You can take it back until a title is chosen.</p>
      <Button look="beak" type="submit" busy={give.busy} sends>
        Give it
      </Button>
    </Form>
  )
}

const TIERS = [
  { value: 'supporter', label: 'Supporter' },
  { value: 'reader', label: 'Reader', note: 'one free audiobook a month' },
  { value: 'avid', label: 'Avid Reader', note: 'two free audiobooks a month' },
] as const

function GiveMembership({ person: { id, firstName, memberships }, onDone }: ActProps) {
  const [tier, setTier] = useState<(typeof TIERS)[number]['value']>('reader')
  const form = useForm({ defaultValues: { months: '1', because: '' } })
  const draft = useFormDraft(`person ${id} membership`, form)
  const give = useAct(
    ({ months, because }: { readonly months: string; readonly because: string }) =>
      officeCall('POST /api/office/people/{id}/membership', {
        params: { id },
        body: { tier, months: Number(months), ...(because && { because }) },
      }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['months', 'because'] },
      done: ({ what }) => `${what}.`,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  const running = memberships.find(({ isRunning }) => isRunning)
  return (
    <Form onSubmit={form.handleSubmit((given) => void give.write(given))}>
      <Refusal message={give.refusal} />
      <RadioField legend="Membership" name="tier" value={tier} onChange={setTier} options={TIERS} />
      <Field
        label="Months"
        inputMode="numeric"
        error={form.formState.errors.months?.message}
        {...form.register('months', { pattern: { value: /^([1-9]|1\d|2[0-4])$/, message: 'From 1 to 24.' } })}
      />
      <Field label="Why" hint="Only the team sees this." maxLength={500} {...form.register('because')} />
      <p>
        {running
          ? running.next
            ? `${firstName} is a member whose membership renews, so this waits until that ends. A free audiobook reaches them sooner.`
            : `It starts when the current membership ends, on ${onDay(running.until)}. An email says so then.`
          : 'It starts at once, and an email says so.'}{' '}
        It never renews, and costs nothing.
      </p>
      <Button look="beak" type="submit" busy={give.busy} sends>
        Give it
      </Button>
    </Form>
  )
}

function EndMembership({ person: { id, firstName, memberships }, onDone }: ActProps) {
  const running = memberships.find(({ isRunning }) => isRunning)
  const why = running?.whyNotCancelled ?? null
  const [how, setHow] = useState<'later' | 'now'>(why === null ? 'later' : 'now')
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`person ${id} end`, form)
  const end = useAct(
    (because: string) =>
      officeCall('POST /api/office/people/{id}/membership/end', {
        params: { id },
        body: { atOnce: how === 'now', because },
      }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['because'] },
      done: ({ what }) => `${what}.`,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  if (!running) return <Empty title={`${firstName} has no membership that runs.`} />
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void end.write(because))}>
      <Refusal message={end.refusal} />
      {why && <p>{why}</p>}
      <RadioField
        legend={running.plan}
        name="how"
        value={how}
        onChange={setHow}
        options={[
          ...(why === null
            ? ([
                {
                  value: 'later',
                  label: `When what is paid is over, on ${onDay(running.until)}`,
                  note: 'They are told by email, and can take it back until then.',
                },
              ] as const)
            : []),
          {
            value: 'now',
            label: 'At once',
            note: 'With the free audiobooks not chosen. Titles stay. No money goes back: refund the order for that.',
          },
        ]}
      />
      <Because form={form} />
      <Button look="danger" type="submit" busy={end.busy} sends>
        {how === 'now' ? 'End it at once' : 'Cancel it'}
      </Button>
    </Form>
  )
}

function Because({ form }: { readonly form: ReturnType<typeof useForm<{ because: string }>> }) {
  return (
    <Field
      label="Why"
      hint="Only the team sees this."
      maxLength={500}
      error={form.formState.errors.because?.message}
      {...form.register('because', { required: Why })}
    />
  )
}

function CorrectAddress({ person: { id, firstName, email, isConfirmed }, onDone }: ActProps) {
  const form = useForm({ defaultValues: { email } })
  const draft = useFormDraft(`person ${id} address`, form)
  const correct = useAct(
    (to: string) =>
      officeCall('POST /api/office/people/{id}/address', { params: { id }, body: { email: to } }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['email'] },
      done: ({ what }) => `${what}.`,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit((given) => void correct.write(given.email))}>
      <Refusal message={correct.refusal} />
      <Field
        label="Address"
        type="email"
        error={form.formState.errors.email?.message}
        {...form.register('email', {
          required: 'Type the address.',
          validate: (typed) => typed.trim() !== email || 'This is their address already.',
        })}
      />
      <p>
        {isConfirmed
          ? `This address was confirmed, so it stays until ${firstName} opens the link that we send to the new one, with their password. The old one is told.`
          : 'The account and its orders get the address at once, and it is asked to confirm itself. Links that were sent to the old one stop working.'}
      </p>
      <Button look="beak" type="submit" busy={correct.busy} sends>
        Correct it
      </Button>
    </Form>
  )
}

function Block({ person: { id, firstName }, onDone }: ActProps) {
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`person ${id} block`, form)
  const block = useAct(
    (because: string) =>
      officeCall('POST /api/office/people/{id}/block', { params: { id }, body: { because } }),
    {
      changes: changesOf(id),
      form: { setError: form.setError, fields: ['because'] },
      done: () => `${firstName} is blocked.`,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void block.write(because))}>
      <Refusal message={block.refusal} />
      <p>
        {firstName} is logged out everywhere, and can’t log in until you let them. Orders, titles and the
        membership don’t change: it still renews, unless you end it.
      </p>
      <Because form={form} />
      <Button look="danger" type="submit" busy={block.busy} sends>
        Block {firstName}
      </Button>
    </Form>
  )
}

function CloseAccount({ person: { id, name, firstName } }: ActProps) {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { name: '', because: '' } })
  const draft = useFormDraft(`person ${id} close`, form, 'name')
  const { data, error, refetch } = useQuery({
    queryKey: ['person', id, 'closing'],
    queryFn: () => officeCall('GET /api/office/people/{id}/closing', { params: { id } }),
    retry: false,
  })
  const close = useAct(
    (given: { readonly name: string; readonly because: string }) =>
      officeCall('POST /api/office/people/{id}/close', {
        params: { id },
        body: { ...given, shownMinor: data?.amountMinor ?? 0 },
      }),
    {
      changes: [['people'], ['members'], ['orders']],
      form: { setError: form.setError, fields: ['name', 'because'] },
      done: () => `${firstName}’s account is closed.`,
      onDone: () => {
        draft.discard()
        return navigate({ to: '/people' })
      },
    },
  )
  if (!data)
    return error ? (
      error instanceof Error && 'status' in error && error.status === 422 ? (
        <p>{problemWords(error)}</p>
      ) : (
        <Failed what="What it would do" problem={error} onRetry={() => void refetch()} />
      )
    ) : (
      <Loading what="what it would do" />
    )
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((given) => void close.write(given))}>
      <Refusal message={close.refusal} />
      <ul>
        {data.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Field
        label={`Type ${name} to close it`}
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name', { required: `Type ${name}.` })}
      />
      <Field
        label="Why"
        hint="Only the team sees this."
        maxLength={500}
        error={errors.because?.message}
        {...form.register('because', { required: Why })}
      />
      <Button look="danger" type="submit" busy={close.busy} sends>
        {data.amountMinor > 0 ? `Close it and refund ${amount(data.amountMinor)}` : 'Close it for good'}
      </Button>
      <p className="hint">You’ll be asked for your passkey.</p>
    </Form>
  )
}
