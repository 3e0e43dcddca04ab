import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import type { Bookshop } from '#contract/office/cards.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { amount } from '#format/money.ts'
import { saveFile } from '#ui/save-file.ts'
import { facts } from '../../facts.ts'
import { officeFile } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, SelectField } from '../../ui/Field.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { cardsQuery } from './cards-query.ts'
import { LayoutField } from './FoundCards.tsx'

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/

interface Batch {
  readonly title: string
  readonly count: string
  readonly bookshop: string
  readonly price: string
  readonly layout: 'printer' | 'a4'
}

export function MakeCards() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/cards' })
  const { data, error, refetch } = useQuery(cardsQuery)
  return (
    <Drawer title="Make cards" onClose={close}>
      {data && data.titles.length > 0 ? (
        <CardsForm titles={data.titles} bookshops={data.bookshops} onDone={close} />
      ) : data ? (
        <Empty
          title="No audiobook is for cards yet."
          help="Tick “Cards can be made for it” in the editor of a title first."
        >
          <LinkButton look="solid" to="/titles">
            Choose a title
          </LinkButton>
        </Empty>
      ) : error ? (
        <Failed what="The titles" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the titles" />
      )}
    </Drawer>
  )
}

interface CardsFormProps {
  readonly titles: readonly { readonly slug: string; readonly title: string; readonly priceMinor: number }[]
  readonly bookshops: readonly Bookshop[]
  readonly onDone: () => void
}

/** Drawn once the choices are known, because a select can't show a draft's value without its option. */
function CardsForm({ titles, bookshops, onDone }: CardsFormProps) {
  const form = useForm<Batch>({
    defaultValues: { title: '', count: '20', bookshop: '', price: '', layout: 'printer' },
  })
  const draft = useFormDraft('make cards', form)
  const { errors } = form.formState
  const make = useAct(
    ({ title, count, bookshop, price, layout }: Batch) =>
      officeFile('POST /api/office/cards/batches', {
        body: {
          title,
          count: Number(count),
          layout,
          ...(bookshop && { bookshop }),
          ...(price && { priceMinor: Math.round(Number(price) * 100) }),
        },
      }),
    {
      changes: [['cards']],
      done: () => 'The cards are made. Keep the file like money.',
      onDone: (zip, { title }) => {
        saveFile(zip, `cards-${title}.zip`)
        draft.discard()
        onDone()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit((batch) => void make.write(batch))}>
      <Refusal message={make.refusal} />
      <SelectField
        label="Audiobook"
        hint="Others: “Cards can be made for it” in the title’s editor."
        error={errors.title?.message}
        {...form.register('title', { required: 'Choose the audiobook.' })}
      >
        <option value="">Choose one</option>
        {titles.map(({ slug, title, priceMinor }) => (
          <option key={slug} value={slug}>
            {title}, {amount(priceMinor)}
          </option>
        ))}
      </SelectField>
      <Field
        label="How many"
        inputMode="numeric"
        hint="At most 1,000 at once."
        error={errors.count?.message}
        {...form.register('count', {
          required: 'Say how many.',
          pattern: { value: /^(1000|[1-9]\d{0,2})$/, message: 'A number from 1 to 1000.' },
        })}
      />
      <SelectField label="Who may sell them" {...form.register('bookshop')}>
        <option value="">Every bookshop</option>
        {bookshops
          .filter(({ closedAt }) => closedAt === null)
          .map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
      </SelectField>
      <Field
        label="Price at the counter"
        inputMode="decimal"
        hint="In pounds; without one, today’s price of the title."
        error={errors.price?.message}
        {...form.register('price', {
          pattern: { value: /^\d{1,3}([.]\d{1,2})?$/, message: 'Like 12.00.' },
        })}
      />
      <LayoutField label="Print them for" {...form.register('layout')} />
      <Button look="beak" type="submit" busy={make.busy} sends>
        Make them, and download
      </Button>
      <p className="hint">
        The codes are only in the downloaded file (a table and a PDF) and are never shown again. If it gets
        lost, make the batch void.
      </p>
      {LOCAL.test(new URL(facts().origin).hostname) && (
        <p className="hint">
          Their QR codes lead to {facts().origin}, which only this machine knows: print none for a bookshop
          yet.
        </p>
      )}
    </Form>
  )
}
