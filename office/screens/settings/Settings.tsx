import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Settings as SettingsReply } from '#contract/office/settings.ts'
import { Icon } from '#ui/Icon.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { useDraft } from '../../net/use-draft.ts'
import { Button } from '../../ui/Button.tsx'
import { BoneButtons, BoneField, Bones, BoneText } from '../../ui/Bones.tsx'
import { Page } from '../../ui/Page.tsx'
import { Failed } from '../../ui/states.tsx'
import { Colours } from './Colours.tsx'
import { Pictures } from './Pictures.tsx'
import { SECTIONS, type SettingField, type SettingSection } from './sections.ts'
import { SettingFields } from './SettingFields.tsx'
import { changesOf, type Values, valuesOf } from './values.ts'
import './settings.css'

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => officeCall('GET /api/office/settings'),
})

const SERVER = { id: 'server', group: 'Set on the server', title: 'Addresses and keys' }

/** One page with all of shop.json, in the order in which an owner thinks of it. */
export function Settings() {
  const { data, error, refetch } = useQuery(settingsQuery)
  const [words, setWords] = useState('')
  const shown = SECTIONS.filter((section) => matches(words, textOfSection(section)))
  const isServerShown = matches(
    words,
    `${SERVER.group} ${SERVER.title} ${data?.server.map(({ name, what }) => `${name} ${what}`).join(' ') ?? ''}`,
  )
  const list = [...shown, ...(isServerShown ? [SERVER] : [])]
  const groups = Object.entries(Object.groupBy(list, ({ group }) => group))
  return (
    <Page title="Settings">
      {data ? (
        <div className="settings">
          <nav aria-label="Settings">
            <label className="settings-search">
              <Icon of={MagnifyingGlassIcon} size={16} />
              <input
                type="search"
                className="input"
                data-page-search
                placeholder="Search settings"
                aria-label="Search settings"
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
            </label>
            {groups.map(([group, sections = []]) => (
              <div key={group}>
                <b>{group}</b>
                <ul>
                  {sections.map(({ id, title }) => (
                    <li key={id}>
                      <a href={`#${id}`}>{title}</a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div>
            {list.length === 0 && (
              <p className="muted" role="status">
                No setting is called “{words.trim()}”.
              </p>
            )}
            {shown.map((section) => (
              <EditedSection key={section.id} section={section} settings={data} />
            ))}
            {isServerShown && <OnTheServer settings={data} />}
          </div>
        </div>
      ) : error ? (
        <Failed what="The settings" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Bones what="the settings">
          <div className="settings">
            <nav>
              <BoneButtons widths={['100%']} />
            </nav>
            <div>
              {[2, 4, 4].map((fields, section) => (
                <div key={section} className="setting">
                  <BoneText share={80} />
                  <div className="setting-fields">
                    {Array.from({ length: fields }, (_, field) => (
                      <BoneField key={field} />
                    ))}
                  </div>
                </div>
              ))}
            </div>
          </div>
        </Bones>
      )}
    </Page>
  )
}

const labelsOf = (fields: readonly SettingField[]): string =>
  fields
    .map(({ label, path, hint = '', columns = [] }) => `${label} ${path} ${hint} ${labelsOf(columns)}`)
    .join(' ')

const textOfSection = ({ group, title, help, words = '', fields }: SettingSection): string =>
  `${group} ${title} ${help} ${words} ${labelsOf(fields)}`

const matches = (words: string, text: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

function EditedSection({
  section,
  settings,
}: {
  readonly section: SettingSection
  readonly settings: SettingsReply
}) {
  const { id, title, help, fields } = section
  const saved = valuesOf(section, settings.file)
  const draft = useDraft<Values>(`settings ${id}`)
  const [typed, setTyped] = useState<Values | undefined>(draft.found)
  const values = typed ?? saved
  const isChanged = JSON.stringify(changesOf(section, values)) !== JSON.stringify(changesOf(section, saved))
  const forget = () => {
    draft.discard()
    setTyped(undefined)
  }
  const save = useAct(
    (changes: Values) =>
      officeCall('PATCH /api/office/settings', {
        body: { version: settings.version, changes: { ...changes } },
      }),
    {
      changes: [['settings']],
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: forget,
    },
  )
  const change = (next: Values) => {
    setTyped(next)
    draft.keep(next)
  }
  return (
    <section className="setting" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="hint">{help}</p>
      </div>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) void save.write(changesOf(section, values))
        }}
      >
        {id === 'colours' ? (
          <Colours fields={fields} values={values} onChange={change} />
        ) : (
          <SettingFields fields={fields} values={values} onChange={change} />
        )}
        {id === 'name' && (
          <Pictures settings={settings} name={typeof values.name === 'string' ? values.name : ''} />
        )}
        <Refusal message={save.refusal} />
        {isChanged && (
          <div className="acts">
            <Button look="solid" type="submit" busy={save.busy} sends data-save>
              Save
            </Button>
            <Button onClick={forget}>Leave as it was</Button>
          </div>
        )}
      </form>
    </section>
  )
}

const OnTheServer = ({ settings: { server } }: { readonly settings: SettingsReply }) => (
  <section className="setting" id={SERVER.id} aria-labelledby="server-title">
    <div>
      <h2 id="server-title">{SERVER.title}</h2>
      <p className="hint">
        Only the operator can set these, in the server’s environment, such as{' '}
        <code>/etc/murmur/murmur.env</code>; then the server is started again.
      </p>
    </div>
    <dl className="facts">
      {server.map(({ name, what, value }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            <span className="hint"> {what}</span>
          </dt>
          <dd>{value ?? 'not set'}</dd>
        </div>
      ))}
    </dl>
  </section>
)
