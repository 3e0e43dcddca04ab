import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { CardBatch } from '#contract/office/cards.ts'
import { amount } from '#format/money.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { Button, LinkButton, TextButton } from '../../ui/Button.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { when } from '../../ui/when.ts'

export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: () => officeCall('GET /api/office/cards'),
})

export function Cards() {
  const may = useMay()
  const { data, error, refetch } = useQuery(cardsQuery)
  return (
    <Page
      title="Cards and bookshops"
      acts={
        may('cards.change') && (
          <>
            <LinkButton to="/cards/bookshops/new">Add a bookshop</LinkButton>
            <LinkButton look="beak" to="/cards/make">
              Make cards
            </LinkButton>
          </>
        )
      }
    >
      {data ? (
        <>
          <Batches batches={data.batches} />
          <FindCard />
          <Section title="Bookshops">
            {data.bookshops.length === 0 ? (
              <p className="muted">None yet. A bookshop sells cards, and has a statement each month.</p>
            ) : (
              <table className="table tall">
                <thead>
                  <tr>
                    <th>Bookshop</th>
                    <th className="num">This month so far</th>
                    <th className="num wide-only">Its share</th>
                    <th className="num wide-only">Last statement</th>
                  </tr>
                </thead>
                <tbody>
                  {data.bookshops.map(
                    ({ slug, name, emails, cards, soldMinor, discountPercent, statements, closedAt }) => (
                      <tr key={slug}>
                        <td>
                          <BookshopName
                            slug={slug}
                            name={name}
                            note={closedAt ? `closed ${when(closedAt)}` : emails.join(', ')}
                          />
                        </td>
                        <td className="num">
                          {cards === 0 ? 'none yet' : `${cards} cards, ${amount(soldMinor)}`}
                        </td>
                        <td className="num muted wide-only">{discountPercent}%</td>
                        <td className="num wide-only">
                          {statements[0] ? amount(statements[0].toPayMinor) : 'none'}
                        </td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
            )}
          </Section>
          <Packs packs={data.packs} />
        </>
      ) : error ? (
        <Failed what="The cards" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the cards" />
      )}
      <Outlet />
    </Page>
  )
}

interface NameProps {
  readonly name: string
  readonly note: string
}

const BookshopName = ({ slug, name, note }: NameProps & { readonly slug: string }) => (
  <span className="two-lines">
    <Link to="/cards/bookshops/$slug" params={{ slug }} className="strong">
      {name}
    </Link>
    <small>{note}</small>
  </span>
)

const PackName = ({ name, note }: NameProps) => (
  <span className="two-lines">
    <b className="strong">{name}</b>
    <small>{note}</small>
  </span>
)

function Batches({ batches }: { readonly batches: readonly CardBatch[] }) {
  const sum = (key: 'made' | 'sold' | 'opened') => batches.reduce((total, batch) => total + batch[key], 0)
  return (
    <Section title="Batches" note={`${sum('made')} cards, ${sum('sold')} sold, ${sum('opened')} opened`}>
      {batches.length === 0 ? (
        <p className="muted">None yet. Cards are printed, sold in bookshops, and opened at home.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th>Batch</th>
              <th className="wide-only">Made</th>
              <th className="wide-only">Where</th>
              <th className="num">Cards</th>
              <th className="num">Sold</th>
              <th className="num wide-only">Opened</th>
              <th className="num wide-only">Void</th>
              <th className="num">Change</th>
            </tr>
          </thead>
          <tbody>
            {batches.map((batch) => (
              <tr key={batch.id}>
                <td>
                  <b className="strong">{batch.title}</b> <span className="muted small">{batch.id}</span>
                </td>
                <td className="muted wide-only">{when(batch.madeAt)}</td>
                <td className="wide-only">{batch.outlet ?? 'Every bookshop'}</td>
                <td className="num">{batch.made}</td>
                <td className="num">{batch.sold}</td>
                <td className="num wide-only">{batch.opened}</td>
                <td className="num muted wide-only">{batch.voided || ''}</td>
                <td className="num">
                  <VoidBatch batch={batch} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function VoidBatch({ batch: { id, made, sold, voided } }: { readonly batch: CardBatch }) {
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const form = useForm({ defaultValues: { because: '' } })
  const act = useAct(
    (because: string) =>
      officeCall('POST /api/office/cards/batches/{id}/void', { params: { id }, body: { because } }),
    {
      changes: [['cards']],
      done: ({ count }) => `${count} cards of batch ${id} are void.`,
      onDone: () => setAsking(false),
    },
  )
  const left = made - sold - voided
  if (!may('cards.change') || left <= 0) return <span className="muted">nothing left</span>
  if (!isAsking)
    return (
      <TextButton
        aria-label={`Make void: the ${left} unsold cards of batch ${id}`}
        onClick={() => setAsking(true)}
      >
        Make void
      </TextButton>
    )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void act.write(because))}>
      <Field
        label={`Why are ${left} cards void?`}
        hint="It can’t be undone."
        error={act.refusal || form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <Button type="submit" look="danger" compact busy={act.busy} sends>
        Make {left} cards void
      </Button>
      <TextButton onClick={() => setAsking(false)}>Leave them</TextButton>
    </Form>
  )
}

function FindCard() {
  const [number, setNumber] = useState('')
  const form = useForm({ defaultValues: { number: '' } })
  const { data, error, isFetching } = useQuery({
    queryKey: ['cards', 'find', number],
    queryFn: () => officeCall('GET /api/office/cards/find', { query: { number } }),
    enabled: number !== '',
    retry: false,
  })
  return (
    <Section title="One card">
      <Form onSubmit={form.handleSubmit((typed) => setNumber(typed.number.trim()))}>
        <div className="fields">
          <Field label="The number on the card" {...form.register('number', { minLength: 4 })} />
        </div>
        <div className="acts">
          <Button type="submit" busy={isFetching} sends>
            Look it up
          </Button>
        </div>
      </Form>
      <p role="status">{error ? problemWords(error) : (data?.lines.join('; ') ?? '')}</p>
    </Section>
  )
}

interface Pack {
  readonly id: string
  readonly askedAt: string
  readonly packs: number
  readonly shopName: string
  readonly town: string
  readonly contact: string
  readonly email: string
}

const Packs = ({ packs }: { readonly packs: readonly Pack[] }) => (
  <Section title="Starter packs">
    {packs.length === 0 ? (
      <p className="muted">No bookshop is waiting for one.</p>
    ) : (
      <table className="table tall">
        <thead>
          <tr>
            <th>Bookshop</th>
            <th className="wide-only">Asked</th>
            <th className="num">Packs</th>
            <th className="num">Change</th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <PackRow key={pack.id} pack={pack} />
          ))}
        </tbody>
      </table>
    )}
  </Section>
)

function PackRow({ pack: { id, askedAt, packs, shopName, town, contact, email } }: { readonly pack: Pack }) {
  const may = useMay()
  const done = useAct(() => officeCall('POST /api/office/starter-packs/{id}/done', { params: { id } }), {
    changes: [['cards']],
    done: (reply) => `${reply.shopName} is off the list.`,
  })
  return (
    <tr>
      <td>
        <PackName name={`${shopName}, ${town}`} note={`${contact}, ${email}`} />
      </td>
      <td className="muted wide-only">{when(askedAt)}</td>
      <td className="num">{packs}</td>
      <td className="num">
        {may('cards.change') ? (
          <TextButton aria-label={`Sent to ${shopName}`} onClick={() => void done.write()}>
            Sent
          </TextButton>
        ) : (
          <span className="muted">waiting</span>
        )}
      </td>
    </tr>
  )
}
