import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Bookshop } from '#contract/office/cards.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { amount } from '#format/money.ts'
import { saveFile } from '#ui/save-file.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useAct, useBusy } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { exactly, localMinute, monthOf, when } from '../../ui/when.ts'
import { cardsQuery } from './cards-query.ts'
import { Due } from './Due.tsx'

const PERCENT = {
  required: 'A number from 0 to 100.',
  pattern: { value: /^(\d{1,2}|100)$/, message: 'A number from 0 to 100.' },
} as const

export function AddBookshop() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/cards' })
  const form = useForm({ defaultValues: { name: '', email: '', discount: '60', commission: '10' } })
  const draft = useFormDraft('add bookshop', form)
  const { errors } = form.formState
  const add = useAct(
    (given: { name: string; email: string; discount: string; commission: string }) =>
      officeCall('POST /api/office/bookshops', {
        body: {
          name: given.name.trim(),
          email: given.email.trim(),
          discountPercent: Number(given.discount),
          commissionPercent: Number(given.commission),
        },
      }),
    {
      changes: [['cards']],
      form: { setError: form.setError, fields: ['name', 'email'] },
      done: ({ name }) => `${name} is open. Its staff choose a password with “Forgot password”.`,
      onDone: () => {
        draft.discard()
        close()
      },
    },
  )
  return (
    <Drawer title="Add a bookshop" onClose={close}>
      <Form onSubmit={form.handleSubmit((given) => void add.write(given))}>
        <Refusal message={add.refusal} />
        <Field
          label="Name"
          error={errors.name?.message}
          {...form.register('name', { required: 'Name it.' })}
        />
        <Field
          label="Email address"
          type="email"
          hint="Of its account. It may have no other account here."
          error={errors.email?.message}
          {...form.register('email', { required: 'Type its address.' })}
        />
        <Field
          label="Its discount on cards, in per cent"
          error={errors.discount?.message}
          {...form.register('discount', PERCENT)}
        />
        <Field
          label="Its share of later purchases, in per cent"
          error={errors.commission?.message}
          {...form.register('commission', PERCENT)}
        />
        <Button look="beak" type="submit" busy={add.busy} sends>
          Add the bookshop
        </Button>
      </Form>
    </Drawer>
  )
}

export function BookshopDrawer() {
  const { slug } = useParams({ from: '/shell/cards/bookshops/$slug' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/cards' })
  const { data, error, refetch } = useQuery(cardsQuery)
  const bookshop = data?.bookshops.find((each) => each.slug === slug)
  return (
    <Drawer title={bookshop?.name ?? 'Bookshop'} onClose={close}>
      {bookshop ? (
        <Details key={slug} bookshop={bookshop} />
      ) : error ? (
        <Failed what="The bookshop" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Empty title="No bookshop by that name." />
      ) : (
        <Loading what="the bookshop" />
      )}
    </Drawer>
  )
}

function Details({ bookshop }: { readonly bookshop: Bookshop }) {
  const { slug, name, emails, cards, soldMinor, toPayMinor, statements, closedAt } = bookshop
  const { discountPercent, commissionPercent } = bookshop
  const may = useMay()
  const { busy, run } = useBusy()
  const [now] = useState(() => new Date())
  const download = (id: string, number: string, as: 'pdf' | 'csv') =>
    void run(async () =>
      saveFile(
        await officeFile('GET /api/office/bookshops/{slug}/statements/{id}/export', {
          params: { slug, id },
          query: { as },
        }),
        `${number}.${as}`,
      ),
    )
  return (
    <div className="form">
      <dl className="facts">
        <div>
          <dt>Account</dt>
          <dd>{emails.join(', ')}</dd>
        </div>
        <div>
          <dt>This month so far</dt>
          <dd>
            {cards} {cards === 1 ? 'card' : 'cards'}, {amount(soldMinor)}
          </dd>
        </div>
        <div>
          <dt>It pays for that</dt>
          <dd>{amount(toPayMinor)}</dd>
        </div>
        <div>
          <dt>Its terms</dt>
          <dd>
            {discountPercent}% off cards, {commissionPercent}% commission
          </dd>
        </div>
        {closedAt && (
          <div>
            <dt>Closed</dt>
            <dd>{exactly(closedAt)}</dd>
          </div>
        )}
      </dl>
      <h3>Statements</h3>
      {statements.length === 0 && <p className="muted">None yet: each month ends with one.</p>}
      {statements.map((statement) => {
        const { id, number, from, dueOn, paidOn, toPayMinor: sum } = statement
        return (
          <div key={id}>
            <div className="spread">
              <span>
                <b className="strong">{monthOf(new Date(`${from}T12:00:00Z`))}</b>{' '}
                <span className="muted">
                  {number}, {amount(sum)}
                </span>
                <br />
                <Due toPayMinor={sum} dueOn={dueOn} paidOn={paidOn} now={now} />
              </span>
              <span className="acts">
                <TextButton
                  aria-label={`${number} as PDF`}
                  aria-busy={busy || undefined}
                  onClick={() => download(id, number, 'pdf')}
                >
                  PDF
                </TextButton>
                <TextButton
                  aria-label={`${number} as CSV`}
                  aria-busy={busy || undefined}
                  onClick={() => download(id, number, 'csv')}
                >
                  CSV
                </TextButton>
              </span>
            </div>
            <Payment slug={slug} statement={statement} mayChange={may('cards.change')} />
          </div>
        )
      })}
      {may('cards.change') && closedAt === null && (
        <>
          <Terms bookshop={bookshop} />
          <Address slug={slug} name={name} />
          <Close slug={slug} name={name} />
        </>
      )}
    </div>
  )
}

/** Shows whether a statement was paid and who marked it; an unpaid one can be reminded by email. */
function Payment({
  slug,
  statement: { id, number, toPayMinor, paidBy, remindedAt },
  mayChange,
}: {
  readonly slug: string
  readonly statement: Bookshop['statements'][number]
  readonly mayChange: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const params = { slug, id }
  const changes = [['cards'], ['today']]
  const [today] = useState(() => localMinute(new Date().toISOString()).slice(0, 10))
  const form = useForm({ defaultValues: { on: today } })
  const paid = useAct(
    ({ on }: { on: string }) =>
      officeCall('POST /api/office/bookshops/{slug}/statements/{id}/paid', { params, body: { on } }),
    {
      changes,
      form: { setError: form.setError, fields: ['on'] },
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: () => setOpen(false),
    },
  )
  const remind = useAct(
    () => officeCall('POST /api/office/bookshops/{slug}/statements/{id}/remind', { params }),
    { changes, done: ({ what }) => `${what}.` },
  )
  if (paidBy !== null) return <p className="hint">Said by {paidBy}.</p>
  return (
    <>
      {remindedAt && <p className="hint">Reminded {when(remindedAt)}.</p>}
      {mayChange && toPayMinor !== 0 && (
        <p className="acts">
          <TextButton
            aria-expanded={isOpen}
            aria-label={`It was paid: ${number}`}
            onClick={() => setOpen(!isOpen)}
          >
            It was paid
          </TextButton>
          {toPayMinor > 0 && (
            <TextButton
              aria-label={`Remind by email: ${number}`}
              aria-disabled={remind.busy}
              onClick={() => void remind.write()}
            >
              Remind by email
            </TextButton>
          )}
        </p>
      )}
      <Refusal message={paid.refusal || remind.refusal} />
      {isOpen && (
        <Form onSubmit={form.handleSubmit((given) => void paid.write(given))}>
          <Field
            label={`The day ${number} was paid`}
            type="date"
            error={form.formState.errors.on?.message}
            {...form.register('on', { required: 'Choose the day.' })}
          />
          <div>
            <Button type="submit" busy={paid.busy} sends>
              Mark as paid
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

function Terms({ bookshop: { slug, discountPercent, commissionPercent } }: { readonly bookshop: Bookshop }) {
  const form = useForm({
    defaultValues: { discount: String(discountPercent), commission: String(commissionPercent) },
  })
  const change = useAct(
    (given: { discount: string; commission: string }) =>
      officeCall('PATCH /api/office/bookshops/{slug}', {
        params: { slug },
        body: { discountPercent: Number(given.discount), commissionPercent: Number(given.commission) },
      }),
    { changes: [['cards']], done: ({ what }) => `${what}.`, entry: ({ entry }) => entry },
  )
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((given) => void change.write(given))}>
      <h3>Terms for its next cards</h3>
      <Refusal message={change.refusal} />
      <div className="fields">
        <Field label="Discount %" error={errors.discount?.message} {...form.register('discount', PERCENT)} />
        <Field
          label="Commission %"
          error={errors.commission?.message}
          {...form.register('commission', PERCENT)}
        />
      </div>
      <div>
        <Button type="submit" busy={change.busy} sends>
          Change the terms
        </Button>
      </div>
    </Form>
  )
}

function Address({ slug, name }: { readonly slug: string; readonly name: string }) {
  const form = useForm({ defaultValues: { email: '', because: '' } })
  const draft = useFormDraft(`address of bookshop ${slug}`, form)
  const { errors } = form.formState
  const move = useAct(
    (body: { email: string; because: string }) =>
      officeCall('POST /api/office/bookshops/{slug}/address', { params: { slug }, body }),
    {
      changes: [['cards'], ['people']],
      form: { setError: form.setError, fields: ['email'] },
      done: ({ email }) => `${name} signs in as ${email} now, after “Forgot password”.`,
      onDone: () => {
        form.reset()
        draft.discard()
      },
    },
  )
  return (
    <Form
      onSubmit={form.handleSubmit(({ email, because }) => void move.write({ email: email.trim(), because }))}
    >
      <h3>Another address for its account</h3>
      <Refusal message={move.refusal} />
      <Field
        label="New email address"
        type="email"
        autoComplete="off"
        hint="It is logged out everywhere, and needs a new password."
        error={errors.email?.message}
        {...form.register('email', { required: 'Type its address.' })}
      />
      <Field
        label="Why the address changes"
        error={errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <div>
        <Button type="submit" busy={move.busy} sends>
          Change the address
        </Button>
      </div>
    </Form>
  )
}

function Close({ slug, name }: { readonly slug: string; readonly name: string }) {
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`close bookshop ${slug}`, form)
  const close = useAct(
    (because: string) =>
      officeCall('POST /api/office/bookshops/{slug}/close', { params: { slug }, body: { because } }),
    {
      changes: [['cards']],
      done: ({ statement }) =>
        statement ? `${name} is closed; its last statement is ${statement}.` : `${name} is closed.`,
      onDone: draft.discard,
    },
  )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void close.write(because))}>
      <h3>Close it</h3>
      <Refusal message={close.refusal} />
      <Field
        label="Why"
        hint="It sells no cards any more and gets its last statement; cards it sold stay valid. It can’t be undone."
        error={form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <div>
        <Button look="danger" type="submit" busy={close.busy} sends>
          Close {name}
        </Button>
      </div>
    </Form>
  )
}
