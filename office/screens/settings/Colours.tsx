import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { facts } from '../../facts.ts'
import { officeCall } from '../../net/office-call.ts'
import { TextButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import type { SettingField } from './sections.ts'
import { valueAt, type Values, withValue } from './values.ts'

interface ColoursProps {
  readonly fields: readonly SettingField[]
  readonly values: Values
  readonly onChange: (values: Values) => void
}

/** Each colour as it is typed, checked by the server's rules, with the pages they make by day and at night. */
export function Colours({ fields, values, onChange }: ColoursProps) {
  const given = useDeferredValue(
    Object.fromEntries(
      fields.flatMap(({ path }) => {
        const value = valueAt(values, path)
        return typeof value === 'string' && value !== '' ? [[path.replace('colours.', ''), value]] : []
      }),
    ),
  )
  const { data } = useQuery({
    queryKey: ['settings', 'colours', given],
    queryFn: () => officeCall('POST /api/office/settings/colours', { body: given }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className="setting-fields three">
        {fields.map(({ path, label }) => {
          const which = path.replace('colours.', '')
          const value = valueAt(values, path)
          const text = typeof value === 'string' ? value : ''
          const fault = data?.faults.find((each) => each.which === which)
          const set = (colour: string) => onChange(withValue(values, path, colour || undefined))
          return (
            <div key={path} className="setting-colour">
              <Field
                label={label}
                value={text}
                placeholder="The usual one"
                error={fault?.says && `${fault.says}.`}
                onChange={({ target }) => set(target.value)}
              />
              <input
                type="color"
                aria-label={`${label}, chosen from colours`}
                value={
                  /^#[\da-f]{6}$/i.test(text) ? text : (data?.tokens[TOKEN_OF[which] ?? '']?.[0] ?? '#000000')
                }
                onChange={({ target }) => set(target.value)}
              />
              {fault?.nearest && (
                <TextButton onClick={() => set(fault.nearest!)}>Use {fault.nearest}</TextButton>
              )}
            </div>
          )
        })}
      </div>
      {data && data.faults.length === 0 && (
        <div className="setting-preview">
          {([0, 1] as const).map((mode) => (
            <Sample key={mode} tokens={data.tokens} mode={mode} />
          ))}
        </div>
      )}
    </>
  )
}

const TOKEN_OF: Readonly<Record<string, string>> = { paper: 'paper', accent: 'accent', button: 'beak' }
const INK = ['#171a24', '#f1f0ea'] as const

function Sample({
  tokens,
  mode,
}: {
  readonly tokens: Readonly<Record<string, readonly [string, string]>>
  readonly mode: 0 | 1
}) {
  const colour = (name: string) => tokens[name]?.[mode]
  return (
    <figure style={{ background: colour('paper'), color: INK[mode] }}>
      <figcaption>{mode === 0 ? 'By day' : 'At night'}</figcaption>
      <b>{facts().name}</b>
      <span style={{ color: colour('accent') }}>A link, and a mark</span>
      <span
        className="setting-sample-button"
        style={{ background: colour('beak'), color: colour('on-beak') }}
      >
        Add to bag
      </span>
    </figure>
  )
}
