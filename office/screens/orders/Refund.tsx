import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import type { WholeOrder } from '#contract/office/orders.ts'
import { amount } from '#format/money.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { orderQuery } from './Order.tsx'

export function RefundDrawer() {
  const { number } = useParams({ from: '/shell/orders/$number/refund' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/orders/$number', params: { number } })
  const { data, error, refetch } = useQuery(orderQuery(number))
  if (data) return <RefundForm order={data} onClose={close} />
  return (
    <Drawer title="Refund" onClose={close}>
      {error ? (
        <Failed what="The order" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the order" />
      )}
    </Drawer>
  )
}

interface RefundFields {
  readonly places: readonly string[]
  readonly keeps: boolean
  /** A sum of its own, instead of the whole price of the lines. */
  readonly isPart: boolean
  /** In pounds. */
  readonly part: string
  readonly because: string
}

function RefundForm({ order, onClose }: { readonly order: WholeOrder; readonly onClose: () => void }) {
  const { number } = order
  const open = order.lines.filter(({ refundedAt }) => refundedAt === null)
  const form = useForm<RefundFields>({
    defaultValues: {
      places: open.map(({ place }) => String(place)),
      keeps: false,
      isPart: false,
      part: '',
      because: '',
    },
  })
  const draft = useFormDraft(`refund ${number}`, form)
  const [places, keeps, isPart, part] = useWatch({
    control: form.control,
    name: ['places', 'keeps', 'isPart', 'part'],
  })
  const partMinor = isPart && /^\d{1,5}(\.\d{1,2})?$/.test(part) ? Math.round(Number(part) * 100) : undefined
  const wanted = {
    places: places.map(Number).toSorted((a, b) => a - b),
    keeps: keeps || isPart,
    ...(partMinor ? { amountMinor: partMinor } : {}),
  }
  const isComplete = places.length > 0 && (!isPart || Boolean(partMinor))
  const plan = useQuery({
    queryKey: ['order', number, 'refund', wanted],
    queryFn: () =>
      officeCall('POST /api/office/orders/{number}/refund/plan', { params: { number }, body: wanted }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isPlanned = isComplete && plan.data !== undefined && !plan.isPlaceholderData && !plan.error
  const refund = useAct(
    (because: string) =>
      officeCall('POST /api/office/orders/{number}/refund', {
        params: { number },
        body: { ...wanted, shownMinor: plan.data?.amountMinor ?? 0, because },
      }),
    {
      changes: [['order', number], ['orders']],
      form: { setError: form.setError, fields: ['because'] },
      done: ({ what }) => `${what}.`,
      onDone: () => {
        draft.discard()
        onClose()
      },
    },
  )
  const limit = plan.data?.limitMinor ?? null
  const why = !isComplete
    ? places.length === 0
      ? 'Choose what to refund.'
      : 'Type a sum, like 3.00.'
    : plan.error
      ? problemWords(plan.error)
      : isPlanned && limit !== null && plan.data.amountMinor > limit
        ? `Your role refunds up to ${amount(limit)} at once. Ask an owner.`
        : undefined
  return (
    <Drawer title="Refund" onClose={onClose}>
      <Form onSubmit={form.handleSubmit(({ because }) => void (isPlanned && !why && refund.write(because)))}>
        <Refusal message={refund.refusal} />
        <fieldset className="plain-fieldset refund-lines">
          <legend className="label">What to refund</legend>
          {open.map(({ place, title, priceMinor }) => (
            <label key={place}>
              <input
                type="checkbox"
                className="checkbox"
                value={String(place)}
                {...form.register('places')}
              />
              <span>{title}</span>
              {amount(priceMinor)}
            </label>
          ))}
        </fieldset>
        {isPart ? (
          <Field
            label="Amount"
            inputMode="decimal"
            hint={`In pounds. The buyer keeps the titles.`}
            {...form.register('part')}
          />
        ) : (
          <label className="choice">
            <input type="checkbox" className="checkbox" {...form.register('keeps')} />
            The buyer keeps the titles
          </label>
        )}
        <p>
          <TextButton onClick={() => form.setValue('isPart', !isPart)}>
            {isPart ? 'The whole price' : 'A different amount'}
          </TextButton>
        </p>
        <Field
          label={
            <>
              Why <small>only the team sees this</small>
            </>
          }
          maxLength={500}
          error={form.formState.errors.because?.message}
          {...form.register('because', { required: 'Say why: it is written into the activity log.' })}
        />
        {isPlanned && (
          <>
            <ul className="small muted">
              {plan.data.lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {plan.data.email ? (
              <section>
                <h3>What {plan.data.email.to} will read</h3>
                <div className="letter">
                  <b>{plan.data.email.subject}</b>
                  {plan.data.email.text}
                </div>
              </section>
            ) : (
              <p className="hint">Nobody is written to.</p>
            )}
          </>
        )}
        <Button look="beak" type="submit" busy={refund.busy} sends why={why}>
          Refund {isPlanned ? amount(plan.data.amountMinor) : ''}
        </Button>
        <p className="hint">You’ll be asked for your passkey. Money that has left can’t be called back.</p>
      </Form>
    </Drawer>
  )
}
