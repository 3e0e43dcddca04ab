import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { RadioField } from '../../ui/Field.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { LINES, MoreLines, Touches, useSelectedTitles } from './PricesDrawer.tsx'
import { STATE_WORDS } from './title-words.tsx'

const CHOICES = ['on-sale', 'listed', 'draft', 'retired'] as const

export function StatesDrawer() {
  const navigate = useNavigate()
  const { ids, rest } = useSelectedTitles()
  const close = () => void navigate({ to: '/titles', search: rest })
  const [state, setState] = useState<(typeof CHOICES)[number]>()
  const body = { ids, state: state ?? 'on-sale' }
  const plan = useQuery({
    queryKey: ['titles', 'states', body],
    queryFn: () => officeCall('POST /api/office/titles/states/plan', { body }),
    enabled: state !== undefined && ids.length > 0,
    retry: false,
  })
  const save = useAct(() => officeCall('POST /api/office/titles/states', { body }), {
    changes: [['titles'], ['title']],
    done: ({ what }) => `${what}.`,
    entry: ({ entry }) => entry,
    onDone: close,
  })
  const held = plan.data?.rows.find(({ isRefused }) => isRefused)
  const noun = ids.length === 1 ? 'state' : `${ids.length} states`
  const why =
    ids.length === 0
      ? 'Select titles in the list first.'
      : state === undefined
        ? 'Choose a state.'
        : held
          ? `${held.title} can’t be a draft again.`
          : plan.data
            ? undefined
            : 'The preview comes first.'
  return (
    <Drawer title={ids.length === 1 ? 'Change the state' : `Change ${noun}`} onClose={close}>
      <div className="form">
        <Refusal message={save.refusal} />
        <RadioField
          legend="State"
          name="state"
          value={state}
          onChange={setState}
          options={CHOICES.map((value) => ({
            value,
            label: STATE_WORDS[value].words,
            note: STATE_WORDS[value].means,
          }))}
        />
        {plan.data ? (
          <section>
            <h3>What will change</h3>
            <table className="table dense">
              <thead>
                <tr>
                  <th>Title</th>
                  <th>Now</th>
                  <th>Then</th>
                </tr>
              </thead>
              <tbody>
                {plan.data.rows.slice(0, LINES).map((row) => (
                  <tr key={row.id}>
                    <td>
                      {row.title}
                      {row.note && <small className={row.isRefused ? 'hint bad' : 'hint'}>{row.note}</small>}
                    </td>
                    <td className="muted">{STATE_WORDS[row.now].words}</td>
                    <td className="strong">{row.isRefused ? 'stays' : STATE_WORDS[row.becomes].words}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <MoreLines count={plan.data.rows.length - LINES} />
            <Touches touches={[...plan.data.touches, 'You can undo this from Activity.']} />
          </section>
        ) : plan.error ? (
          <Failed what="The preview" problem={plan.error} onRetry={() => void plan.refetch()} />
        ) : (
          state && <Loading what="the preview" />
        )}
        <Button look="beak" busy={save.busy} sends why={why} onClick={() => void save.write()}>
          Change {noun}
        </Button>
      </div>
    </Drawer>
  )
}
