import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import type { Pricing } from '#contract/office/titles.ts'
import { amount } from '#format/money.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { useListSearch } from '../../list/use-list-search.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField, SelectField } from '../../ui/Field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { typedMinor } from './InlinePrice.tsx'
import { FORMAT_WORDS } from './title-words.tsx'

interface PriceFields {
  readonly how: Pricing['how']
  /** Pounds, or per cent. */
  readonly by: string
  readonly member: string
  readonly round: NonNullable<Pricing['round']>
  readonly from: string
  readonly until: string
}

/** `ids` of a drawer's address. */
const idsIn = (text: string | undefined): number[] =>
  (text ?? '')
    .split(',')
    .filter((each) => /^\d{1,9}$/.test(each))
    .map(Number)

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Selected titles, if they are too many for an address. A reload keeps them. */
    titleIds?: readonly number[]
  }
}

/** The titles of the drawer, and the address without them. */
export function useSelectedTitles() {
  const { ids, ...rest } = useListSearch().search
  const many = useLocation({ select: ({ state }) => state.titleIds })
  return { ids: many ? [...many] : idsIn(ids), rest }
}

export function PricesDrawer() {
  const navigate = useNavigate()
  const { ids, rest } = useSelectedTitles()
  const close = () => void navigate({ to: '/titles', search: rest })
  const form = useForm<PriceFields>({
    defaultValues: { how: 'set', by: '', member: '', round: 'nines', from: '', until: '' },
  })
  const draft = useFormDraft(`prices ${ids.slice(0, 20).join(',')}`, form)
  const fields = useWatch({ control: form.control })
  const { how = 'set' } = fields
  const by = amountOf(how, fields.by ?? '')
  const memberMinor = how === 'set' && fields.member ? typedMinor(fields.member) : undefined
  const pricing: Pricing | undefined =
    by === undefined
      ? undefined
      : {
          ids,
          how,
          by,
          ...(how === 'set' ? {} : { round: fields.round ?? 'nines' }),
          ...(memberMinor === undefined ? {} : { memberMinor }),
          ...(fields.from ? { from: fields.from } : {}),
          ...(fields.until ? { until: fields.until } : {}),
        }
  const plan = useQuery({
    queryKey: ['titles', 'plan', pricing],
    queryFn: () => officeCall('POST /api/office/titles/prices/plan', { body: pricing! }),
    enabled: pricing !== undefined && ids.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isPlanned = pricing !== undefined && plan.data !== undefined && !plan.isPlaceholderData && !plan.error
  const save = useAct(
    () =>
      officeCall('POST /api/office/titles/prices', {
        body: { ...pricing!, shownMinor: plan.data?.shownMinor ?? 0 },
      }),
    {
      changes: [['titles'], ['title']],
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: () => {
        draft.discard()
        close()
      },
    },
  )
  const count = ids.length
  const noun = count === 1 ? 'price' : `${count} prices`
  const why =
    count === 0
      ? 'Select titles in the list first.'
      : pricing === undefined
        ? how === 'percent'
          ? 'Type a percentage, like −15.'
          : 'Type pounds, like 12.99.'
        : plan.error
          ? problemWords(plan.error)
          : undefined
  const isTimed = Boolean(fields.from || fields.until)
  return (
    <Drawer title={count === 1 ? 'Change the price' : `Change ${count} prices`} onClose={close}>
      <Form onSubmit={form.handleSubmit(() => void (isPlanned && !why && save.write()))}>
        <Refusal message={save.refusal} />
        <RadioField
          legend="How"
          name="how"
          value={how}
          onChange={(next) => form.setValue('how', next)}
          options={[
            { value: 'set', label: 'Set a price' },
            { value: 'percent', label: 'By per cent' },
            { value: 'pounds', label: 'By pounds' },
          ]}
        />
        <div className="fields">
          <Field
            label={how === 'set' ? 'Price' : 'Change'}
            hint={
              how === 'set' ? 'In pounds; 0 gives it away' : how === 'percent' ? 'Like −15' : 'Like −2.00'
            }
            {...form.register('by')}
          />
          {how === 'set' ? (
            <Field
              label={
                <>
                  Members <small>if not as usual</small>
                </>
              }
              {...form.register('member')}
            />
          ) : (
            <SelectField label="Round to" {...form.register('round')}>
              <option value="nines">nearest .49 or .99</option>
              <option value="penny">the penny</option>
              <option value="ten">10p</option>
              <option value="fifty">50p</option>
              <option value="pound">a pound</option>
            </SelectField>
          )}
        </div>
        <div className="form">
          <Field
            label={
              <>
                From <small>else at once</small>
              </>
            }
            type="datetime-local"
            {...form.register('from')}
          />
          <Field
            label={
              <>
                Until <small>then as before</small>
              </>
            }
            type="datetime-local"
            {...form.register('until')}
          />
        </div>
        {plan.data && pricing ? (
          <section>
            <h3>What will change</h3>
            <table className={plan.isPlaceholderData ? 'table dense dimmed' : 'table dense'}>
              <thead>
                <tr>
                  <th>Title</th>
                  <th className="num">Now</th>
                  <th className="num">Then</th>
                  <th className="num">Members</th>
                </tr>
              </thead>
              <tbody>
                {plan.data.rows.slice(0, LINES).map((row) => (
                  <tr key={row.id}>
                    <td>
                      {row.title}{' '}
                      <span className="muted small">{FORMAT_WORDS[row.format].toLowerCase()}</span>
                    </td>
                    <td className="num muted">{row.nowMinor === null ? 'none' : amount(row.nowMinor)}</td>
                    <td className="num strong">{amount(row.thenMinor)}</td>
                    <td className="num muted">{amount(row.memberMinor)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <MoreLines count={plan.data.rows.length - LINES} />
            <Touches
              touches={[
                ...plan.data.touches,
                plan.data.startsLater
                  ? 'You can give it up from Activity or the title until it ends.'
                  : 'You can undo this from Activity.',
              ]}
            />
          </section>
        ) : plan.error ? (
          <Failed what="The preview" problem={plan.error} onRetry={() => void plan.refetch()} />
        ) : (
          pricing && <Loading what="the preview" />
        )}
        <Button look="beak" type="submit" busy={save.busy} sends why={why}>
          {isTimed ? `Schedule ${noun}` : `Change ${noun}`}
        </Button>
      </Form>
    </Drawer>
  )
}

/** Of a preview; more lines would make typing slow. */
export const LINES = 100

export const MoreLines = ({ count }: { readonly count: number }) =>
  count > 0 && <p className="muted">and {count.toLocaleString('en-GB')} more, in the same way</p>

export const Touches = ({ touches }: { readonly touches: readonly string[] }) => (
  <ul className="touches small muted">
    {touches.map((each) => (
      <li key={each}>{each}</li>
    ))}
  </ul>
)

function amountOf(how: Pricing['how'], typed: string): number | undefined {
  const text = typed.trim().replace('−', '-').replace(',', '.').replace(/^£|%$/g, '')
  if (how === 'percent') return /^-?\d{1,3}$/.test(text) && text !== '0' ? Number(text) : undefined
  if (how === 'set') return typedMinor(text)
  const isLess = text.startsWith('-')
  const minor = typedMinor(text.replace(/^[-+]/, ''))
  return minor === undefined || minor === 0 ? undefined : isLess ? -minor : minor
}
