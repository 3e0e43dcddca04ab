import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import type { CardBatch } from '#contract/office/cards.ts'
import { amount } from '#format/money.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { exactly } from '../../ui/when.ts'
import { cardsQuery } from './cards-query.ts'

export function BatchDrawer() {
  const { id } = useParams({ from: '/shell/cards/batches/$id' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(cardsQuery)
  const batch = data?.batches.find((each) => String(each.id) === id)
  return (
    <Drawer title={batch ? `Batch ${id}` : 'Batch'} onClose={() => void navigate({ to: '/cards' })}>
      {batch ? (
        <Details key={id} batch={batch} />
      ) : error ? (
        <Failed what="The batch" problem={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Empty title="No batch by that number." />
      ) : (
        <Loading what="the batch" />
      )}
    </Drawer>
  )
}

function Details({ batch }: { readonly batch: CardBatch }) {
  const { title, madeAt, outlet, priceMinor, made, sold, opened, voided } = batch
  const may = useMay()
  const unsold = made - sold - voided
  const facts: readonly (readonly [string, string | number])[] = [
    ['Audiobook', title],
    ['Made', exactly(madeAt)],
    ['Who may sell them', outlet ?? 'every bookshop'],
    ['Price at the counter', amount(priceMinor)],
    ['Cards', made],
    ['Sold', sold],
    ['Opened', opened],
    ['Void', voided],
    ['Not sold yet', unsold],
  ]
  return (
    <div className="form">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        Its codes are only in the file that was downloaded when it was made. A single card is looked up by its
        number on the page.
      </p>
      {may('cards.change') && unsold > 0 && <VoidRest id={batch.id} unsold={unsold} />}
    </div>
  )
}

function VoidRest({ id, unsold }: { readonly id: number; readonly unsold: number }) {
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`void batch ${id}`, form)
  const act = useAct(
    (because: string) =>
      officeCall('POST /api/office/cards/batches/{id}/void', { params: { id }, body: { because } }),
    {
      changes: [['cards']],
      done: ({ count }) => `${count} ${count === 1 ? 'card' : 'cards'} of batch ${id} void.`,
      onDone: draft.discard,
    },
  )
  const cards = unsold === 1 ? 'the unsold card' : `the ${unsold} unsold cards`
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void act.write(because))}>
      <h3>Make {cards} void</h3>
      <Field
        label="Why"
        hint="Nobody can sell or open them then; sold cards stay valid. It can’t be undone."
        error={act.refusal || form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <div>
        <Button look="danger" type="submit" busy={act.busy} sends>
          Make {cards} void
        </Button>
      </div>
    </Form>
  )
}
