import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { saveFile } from '#ui/save-file.ts'
import { officeFile } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, SelectField } from '../../ui/Field.tsx'
import { cardsQuery } from './Cards.tsx'

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
  const { data } = useQuery(cardsQuery)
  const form = useForm<Batch>({
    defaultValues: { title: '', count: '20', bookshop: '', price: '', layout: 'printer' },
  })
  const draft = useFormDraft('make cards', form)
  const { errors } = form.formState
  const make = useAct(
    ({ title, count, bookshop, price, layout }: Batch) =>
      officeFile('POST /api/office/cards/batches', {
        body: {
          title: title.trim(),
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
        saveFile(zip, `cards-${title.trim()}.zip`)
        draft.discard()
        close()
      },
    },
  )
  return (
    <Drawer title="Make cards" onClose={close}>
      <Form onSubmit={form.handleSubmit((batch) => void make.write(batch))}>
        <Refusal message={make.refusal} />
        <Field
          label="Audiobook"
          hint="Its short name, as in its address."
          error={errors.title?.message}
          {...form.register('title', { required: 'Name the audiobook.' })}
        />
        <Field
          label="How many"
          inputMode="numeric"
          hint="At most 1,000 at once; more with npm run cards."
          error={errors.count?.message}
          {...form.register('count', {
            pattern: { value: /^[1-9]\d{0,3}$/, message: 'A number from 1 to 1,000.' },
          })}
        />
        <SelectField label="Who may sell them" {...form.register('bookshop')}>
          <option value="">Every bookshop</option>
          {data?.bookshops
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
        <SelectField label="For" {...form.register('layout')}>
          <option value="printer">A printer: one per page, with bleed and crop marks</option>
          <option value="a4">A desk printer: ten on each A4 sheet</option>
        </SelectField>
        <Button look="beak" type="submit" busy={make.busy} sends>
          Make them, and download
        </Button>
        <p className="hint">
          The codes are only in the downloaded file (a table and a PDF) and are never shown again. If it gets
          lost, make the batch void.
        </p>
      </Form>
    </Drawer>
  )
}
