import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import type { WithdrawalStatement } from '#contract/office/withdrawals.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { exactly, when, wholeDay } from '../../ui/when.ts'

/** A statement of withdrawal that the shop could not carry out: who, from what, until when, and that it is settled. */
export function WithdrawalDrawer() {
  const { id } = useParams({ from: '/shell/today/withdrawals/$id' })
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/today' })
  const { data, error, refetch } = useQuery({
    queryKey: ['withdrawal', id],
    queryFn: () => officeCall('GET /api/office/withdrawals/{id}', { params: { id } }),
  })
  return (
    <Drawer title="A withdrawal" onClose={close}>
      {data ? (
        <Statement key={id} statement={data} onDone={close} />
      ) : error ? (
        <Failed what="The statement" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the statement" />
      )}
    </Drawer>
  )
}

interface StatementProps {
  readonly statement: WithdrawalStatement
  readonly onDone: () => void
}

function Statement({ statement, onDone }: StatementProps) {
  const { name, email, contract, scope, statedAt, refundBy, problem, settledAt, orders } = statement
  const facts: readonly (readonly [string, string])[] = [
    ['From', `${name}, ${email}`],
    ['Contract', contract],
    ['Withdraws from', scope ?? 'all of it'],
    ['Stated', exactly(statedAt)],
    ['Pay back by', wholeDay(new Date(refundBy))],
    ...(problem ? ([['Why it waits', problem]] as const) : []),
    ...(settledAt ? ([['Settled', exactly(settledAt)]] as const) : []),
  ]
  return (
    <div className="form">
      <dl className="facts">
        {facts.map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3>Orders of this address</h3>
        {orders.length === 0 ? (
          <p className="muted">
            None. Look for their name under Orders; they may have bought with another address.
          </p>
        ) : (
          <ul>
            {orders.map(({ number, titles, at }) => (
              <li key={number}>
                <Link to="/orders/$number" params={{ number }} className="strong">
                  {number}
                </Link>{' '}
                <span className="muted">
                  {titles}, {when(at)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {!settledAt && <Settle statement={statement} onDone={onDone} />}
    </div>
  )
}

function Settle({ statement: { id, isChecked }, onDone }: StatementProps) {
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`withdrawal ${id}`, form)
  const settle = useAct(
    (because: string) =>
      officeCall('POST /api/office/withdrawals/{id}/settle', { params: { id }, body: { because } }),
    {
      changes: [['withdrawal', id], ['today']],
      form: { setError: form.setError, fields: ['because'] },
      done: () => 'The withdrawal is settled.',
      entry: ({ entry }) => entry,
      onDone: () => {
        draft.discard()
        onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void settle.write(because))}>
      <Refusal message={settle.refusal} />
      <p className="hint">
        Refund the order, or write to them why you can’t. Then it is settled; they get no email about that,
        because a refund has its own.
      </p>
      <Field
        label="What was done"
        hint="Only the team sees this."
        maxLength={500}
        error={form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say what was done: it is written into the activity log.' })}
      />
      <Button
        look="beak"
        type="submit"
        busy={settle.busy}
        sends
        why={isChecked ? undefined : 'The shop hasn’t looked at it yet. Try again in a minute.'}
      >
        It is settled
      </Button>
    </Form>
  )
}
