import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { FoundCard } from '#contract/office/cards.ts'
import { saveFile } from '#ui/save-file.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'
import { useFormDraft } from '../../net/use-draft.ts'
import { Button, IconButton, TextButton } from '../../ui/Button.tsx'
import { Field, Form, SelectField } from '../../ui/Field.tsx'
import { State, type StateKind } from '../../ui/State.tsx'

/** What became of the cards with this number, code or ending, and what can be done about each. */
export function FoundCards({ number, onClose }: { readonly number: string; readonly onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['cards', 'find', number],
    queryFn: () => officeCall('POST /api/office/cards/find', { body: { number } }),
    retry: false,
  })
  const words = error
    ? problemWords(error)
    : !data
      ? 'Looking it up …'
      : data.cards.length === 0
        ? `No card like “${number}”: a digit may be wrong or missing.`
        : data.cards.length > 1
          ? `${data.cards.length} cards end in ${number}.`
          : ''
  return (
    <div className="note found-cards">
      <div className="spread">
        <p role="status">{words || 'One card.'}</p>
        <IconButton label="Close what was found" of={XIcon} size={18} onClick={onClose} />
      </div>
      {data?.cards.map((card) => (
        <OneCard key={card.number} card={card} />
      ))}
    </div>
  )
}

const STATES: Readonly<Record<FoundCard['state'], { readonly kind: StateKind; readonly words: string }>> = {
  unsold: { kind: 'draft', words: 'Not sold yet' },
  sold: { kind: 'half', words: 'Sold, not opened' },
  opened: { kind: 'on', words: 'Opened' },
  void: { kind: 'retired', words: 'Void' },
}

/** `1234 5678 9012`, as it is printed on the card. */
const inGroups = (number: string): string => number.replaceAll(/(.{4})(?!$)/g, '$1 ')

function OneCard({ card: { number, title, batch, state, lines } }: { readonly card: FoundCard }) {
  const may = useMay()
  const [asked, setAsked] = useState<'void' | 'replace'>()
  const canVoid = may('cards.change') && state === 'unsold'
  const canReplace = may('cards.change') && state === 'sold'
  return (
    <div className="form">
      <div className="spread">
        <div>
          <b className="strong">{inGroups(number)}</b> {title}, batch {batch}
          <br />
          {lines.slice(1).join('; ')}
        </div>
        <State kind={STATES[state].kind}>{STATES[state].words}</State>
      </div>
      {!asked && canVoid && (
        <Button compact onClick={() => setAsked('void')}>
          Make it void
        </Button>
      )}
      {!asked && canReplace && (
        <Button compact onClick={() => setAsked('replace')}>
          Replace it
        </Button>
      )}
      {asked === 'void' && <MakeVoid number={number} onLeave={() => setAsked(undefined)} />}
      {asked === 'replace' && <Replace number={number} onLeave={() => setAsked(undefined)} />}
    </div>
  )
}

interface AskedProps {
  readonly number: string
  readonly onLeave: () => void
}

function MakeVoid({ number, onLeave }: AskedProps) {
  const form = useForm({ defaultValues: { because: '' } })
  const draft = useFormDraft(`void card ${number}`, form)
  const leave = () => {
    draft.discard()
    onLeave()
  }
  const act = useAct(
    (because: string) => officeCall('POST /api/office/cards/void', { body: { number, because } }),
    { changes: [['cards']], done: () => `${inGroups(number)} is void.`, onDone: leave },
  )
  return (
    <Form onSubmit={form.handleSubmit(({ because }) => void act.write(because))}>
      <Field
        label="Why is it void?"
        hint="Nobody can sell or open it then. It can’t be undone."
        error={act.refusal || form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <div className="acts">
        <Button look="danger" type="submit" busy={act.busy} sends>
          Make it void
        </Button>
        <TextButton onClick={leave}>Leave it</TextButton>
      </div>
    </Form>
  )
}

function Replace({ number, onLeave }: AskedProps) {
  const form = useForm<{ because: string; layout: 'printer' | 'a4' }>({
    defaultValues: { because: '', layout: 'a4' },
  })
  const draft = useFormDraft(`replace card ${number}`, form)
  const leave = () => {
    draft.discard()
    onLeave()
  }
  const act = useAct(
    (body: { because: string; layout: 'printer' | 'a4' }) =>
      officeFile('POST /api/office/cards/replace', { body: { number, ...body } }),
    {
      changes: [['cards']],
      done: () => `${inGroups(number)} is void. The new card is in the file.`,
      onDone: (zip) => {
        saveFile(zip, `card-for-${number}.zip`)
        leave()
      },
    },
  )
  return (
    <Form onSubmit={form.handleSubmit((given) => void act.write(given))}>
      <p>
        A new card gets its sale, and this one is void. The new code is only in the downloaded file: print it
        and hand it over.
      </p>
      <LayoutField label="Print it for" {...form.register('layout')} />
      <Field
        label="Why is it replaced?"
        hint="It can’t be undone."
        error={act.refusal || form.formState.errors.because?.message}
        {...form.register('because', { required: 'Say why.' })}
      />
      <div className="acts">
        <Button look="danger" type="submit" busy={act.busy} sends>
          Replace it, and download
        </Button>
        <TextButton onClick={leave}>Leave it</TextButton>
      </div>
    </Form>
  )
}

export const LayoutField = (props: Omit<ComponentProps<typeof SelectField>, 'children'>) => (
  <SelectField {...props}>
    <option value="printer">A printer: one per page, with bleed and crop marks</option>
    <option value="a4">A desk printer: ten on each A4 sheet</option>
  </SelectField>
)
