import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { WholeOrder } from '#contract/office/orders.ts'
import { amount } from '#format/money.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { when } from '../../ui/when.ts'
import { orderQuery } from './Order.tsx'

/** Says which line a refund in the provider's dashboard was for, one refund at a time. */
export function AssignRefund() {
  const { number } = useParams({ from: '/shell/orders/$number/assign' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/orders/$number', params: { number } })
  const { data, error, refetch } = useQuery(orderQuery(number))
  const [first] = data?.undecided ?? []
  return (
    <Drawer title="Which line was it for?" onClose={close}>
      {first ? (
        <AssignForm key={first.foundAt} number={number} refund={first} onDone={close} />
      ) : data ? (
        <Empty title="Every refund of this order has its line." />
      ) : error ? (
        <Failed what="The order" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the order" />
      )}
    </Drawer>
  )
}

interface AssignFormProps {
  readonly number: string
  readonly refund: WholeOrder['undecided'][number]
  readonly onDone: () => void
}

function AssignForm({ number, refund: { amountMinor, foundAt, choices }, onDone }: AssignFormProps) {
  const [place, setPlace] = useState(String(choices[0]?.place ?? ''))
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`assign ${number} ${foundAt}`, form)
  const chosen = choices.find((choice) => String(choice.place) === place)
  const assign = useAct(
    (because: string) =>
      officeCall('POST /api/office/orders/{number}/assignment', {
        params: { number },
        body: { place: Number(place), because },
      }),
    {
      changes: [['order', number], ['orders'], ['today']],
      form: { setError: form.setError, fields: ['because'] },
      done: ({ what }) => `${what}.`,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void assign.write(because))}>
      <Refusal message={assign.refusal} />
      <p>
        {amount(amountMinor)} went back {when(foundAt)}. The money has left already; this only says what for.
      </p>
      <RadioField
        legend="Line"
        name="place"
        value={place}
        onChange={setPlace}
        options={choices.map(({ place: value, title, does }) => ({
          value: String(value),
          label: title,
          note: does,
        }))}
      />
      {chosen?.email && (
        <section>
          <h3>What {chosen.email.to} will read</h3>
          <div className="letter">
            <b>{chosen.email.subject}</b>
            {chosen.email.text}
          </div>
        </section>
      )}
      <Field
        label="Why"
        hint="Only the team sees this."
        maxLength={500}
        error={form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why: it is written into the activity log.' })}
      />
      <Button
        look="beak"
        type="submit"
        busy={assign.busy}
        sends
        why={chosen ? undefined : 'No line costs that.'}
      >
        {chosen ? `It was for ${chosen.title}` : 'Say which'}
      </Button>
    </Form>
  )
}
