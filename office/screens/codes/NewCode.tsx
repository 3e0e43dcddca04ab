import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { saveFile } from '#ui/save-file.ts'
import type { ListedCode } from '#contract/office/codes.ts'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, Form, RadioField, SelectField } from '../../ui/Field.tsx'
import { TARGETS } from './Codes.tsx'

interface NewCodeFields {
  readonly many: 'one' | 'many'
  readonly code: string
  readonly count: string
  readonly prefix: string
  readonly unit: 'percent' | 'pounds'
  readonly value: string
  readonly target: ListedCode['target']
  readonly title: string
  readonly from: string
  readonly until: string
  readonly uses: string
  readonly oncePerAccount: boolean
  /** Of memberships: `first`, `forever` or a number of months. */
  readonly months: string
}

const START: NewCodeFields = {
  many: 'one',
  code: '',
  count: '10',
  prefix: '',
  unit: 'percent',
  value: '',
  target: 'all',
  title: '',
  from: '',
  until: '',
  uses: '',
  oncePerAccount: false,
  months: 'first',
}

export function NewCode() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/codes' })
  const form = useForm<NewCodeFields>({ defaultValues: START })
  const draft = useFormDraft('new code', form)
  const typed = { ...START, ...useWatch({ control: form.control }) }
  const body = bodyOf(typed)
  const isComplete = typed.value !== '' && (typed.many === 'many' || typed.code.trim() !== '')
  const plan = useQuery({
    queryKey: ['codes', 'plan', body],
    queryFn: () => officeCall('POST /api/office/codes/plan', { body }),
    enabled: isComplete,
    retry: false,
  })
  const make = useAct(() => officeCall('POST /api/office/codes', { body }), {
    changes: [['codes']],
    done: ({ codes }) => (codes.length === 1 ? `${codes[0]} works.` : `${codes.length} codes work.`),
    onDone: ({ codes }) => {
      if (codes.length > 1) saveFile(new Blob([`${codes.join('\n')}\n`]), 'codes.txt')
      draft.discard()
      close()
    },
  })
  const isOfMembership = ['subscription', 'monthly', 'yearly'].includes(typed.target)
  const why = !isComplete
    ? 'Type a code and how much it takes off.'
    : plan.error
      ? problemWords(plan.error)
      : undefined
  return (
    <Drawer title="Make a code" onClose={close}>
      <Form onSubmit={form.handleSubmit(() => void (!why && make.write()))}>
        <Refusal message={make.refusal} />
        <RadioField
          legend="How many"
          name="many"
          value={typed.many}
          onChange={(many) => form.setValue('many', many)}
          options={[
            { value: 'one', label: 'One code' },
            { value: 'many', label: 'Many random ones', note: 'each works once' },
          ]}
        />
        {typed.many === 'one' ? (
          <Field label="Code" autoComplete="off" {...form.register('code')} />
        ) : (
          <div className="fields">
            <Field label="How many" inputMode="numeric" {...form.register('count')} />
            <Field label="Each begins with" hint="Like PRESS-" {...form.register('prefix')} />
          </div>
        )}
        <div className="fields">
          <Field label="It takes off" inputMode="decimal" {...form.register('value')} />
          <SelectField label="In" {...form.register('unit')}>
            <option value="percent">per cent</option>
            <option value="pounds">pounds</option>
          </SelectField>
        </div>
        <SelectField label="Of what" {...form.register('target')}>
          {Object.entries(TARGETS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        {typed.target === 'book' && (
          <Field label="Title" hint="Its short name, as in its address." {...form.register('title')} />
        )}
        {isOfMembership && (
          <Field
            label="Discounted months"
            hint="A number, “first” for the first payment only, or “forever”."
            {...form.register('months')}
          />
        )}
        <div className="fields">
          <Field label="First day" type="date" {...form.register('from')} />
          <Field label="Last day" type="date" {...form.register('until')} />
        </div>
        <Field
          label="Uses in total"
          hint="Without a number, as many as there are."
          inputMode="numeric"
          {...form.register('uses')}
        />
        <label className="choice">
          <input type="checkbox" className="checkbox" {...form.register('oncePerAccount')} />
          Once for each account
        </label>
        {plan.data && !plan.error && <p className="note">It takes {plan.data.words}.</p>}
        <Button look="beak" type="submit" busy={make.busy} sends why={why}>
          {typed.many === 'one' ? 'Make the code' : `Make ${typed.count || 'the'} codes`}
        </Button>
        {typed.many === 'many' && (
          <p className="hint">They are downloaded as a list, and stay in this list.</p>
        )}
      </Form>
    </Drawer>
  )
}

const whole = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text) : undefined)

function bodyOf(typed: NewCodeFields) {
  const { many, code, count, prefix, unit, value, target, title, from, until, uses, oncePerAccount, months } =
    typed
  const pence = /^\d{1,5}([.]\d{1,2})?$/.test(value.trim()) ? Math.round(Number(value) * 100) : undefined
  const isOfMembership = ['subscription', 'monthly', 'yearly'].includes(target)
  const monthCount = months.trim() === 'forever' ? 0 : whole(months)
  return {
    target,
    oncePerAccount,
    ...(many === 'one'
      ? { code: code.trim() || 'X' }
      : { count: whole(count) ?? 1, ...(prefix && { prefix }) }),
    ...(unit === 'percent' ? optional('percent', whole(value)) : optional('amountMinor', pence)),
    ...(target === 'book' && title.trim() ? { title: title.trim() } : {}),
    ...(from && { from }),
    ...(until && { until }),
    ...optional('uses', whole(uses)),
    ...(isOfMembership ? optional('months', monthCount) : {}),
  }
}

const optional = <Key extends string>(key: Key, value: number | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with this key, or none
  (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, number>>
