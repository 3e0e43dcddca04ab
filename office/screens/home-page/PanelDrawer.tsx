import { useNavigate, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { HomeContent, HomePanelContent } from '#contract/office/documents.ts'
import { TitlePicker } from '../../documents/TitlePicker.tsx'
import { useEditing } from '../../documents/use-document.ts'
import { replaced } from '../../list/use-reorder.ts'
import { officeCall } from '../../net/office-call.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field, SelectField, TextAreaField } from '../../ui/Field.tsx'
import { instantOf, localMinute } from '../../ui/when.ts'
import { SEEN_BY_WORDS } from './HomePage.tsx'
import { panelName, SECTIONS } from './sections.ts'

/** One panel: its heading, who sees it and when, and what is in it. */
export function PanelDrawer() {
  const { section } = useParams({ from: '/shell/home-page/$section' })
  const editing = useEditing<HomeContent>()
  const { content, change } = editing
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/home-page' })
  const panel = content.panels.find((each) => each.section === section)
  if (!panel)
    return (
      <Drawer title="No panel" onClose={close}>
        <p className="muted">The home page has no panel like that.</p>
      </Drawer>
    )
  const words = SECTIONS[section]
  const set = (fields: Partial<HomePanelContent>) =>
    change((home) => ({
      ...home,
      panels: home.panels.map((each) => (each.section === section ? { ...each, ...fields } : each)),
    }))
  const moment = (field: 'from' | 'until', label: string) => (
    <Field
      label={label}
      type="datetime-local"
      value={panel[field] === null ? '' : localMinute(panel[field])}
      onChange={({ target: { value } }) => set({ [field]: value === '' ? null : instantOf(value) })}
    />
  )
  return (
    <Drawer
      title={panelName(panel)}
      onClose={close}
      footer={
        <Button
          onClick={() => {
            change((home) => ({ ...home, panels: home.panels.filter((each) => each.section !== section) }))
            close()
          }}
        >
          Take it off the page
        </Button>
      }
    >
      <div className="form">
        <Field
          label="Heading"
          data-field={section}
          value={panel.title}
          hint={section === 'curatedIntroPicks' ? words?.help : undefined}
          onChange={({ target: { value } }) => set({ title: value })}
        />
        <SelectField
          label="Seen by"
          value={panel.seenBy}
          onChange={({ target: { value } }) =>
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the options
            set({ seenBy: value as HomePanelContent['seenBy'] })
          }
        >
          {Object.entries(SEEN_BY_WORDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <div className="fields">
          {moment('from', 'From')}
          {moment('until', 'Until')}
        </div>
        {words?.holds === 'titles' && <PanelTitles panel={panel} onChange={set} />}
        {words?.holds === 'picks' && <Opening />}
        {words?.holds === 'texts' && (
          <TextAreaField
            label="Text"
            rows={10}
            hint={words.help}
            value={content.aboutText}
            onChange={({ target: { value } }) => change((home) => ({ ...home, aboutText: value }))}
          />
        )}
        {section === 'playerApp' && <Stores />}
        {(words?.holds === 'own' || words?.holds === 'pieces') && <p className="hint">{words.help}</p>}
      </div>
    </Drawer>
  )
}

function PanelTitles({
  panel: { section, titles },
  onChange,
}: {
  readonly panel: HomePanelContent
  readonly onChange: (fields: Partial<HomePanelContent>) => void
}) {
  const { content, change } = useEditing<HomeContent>()
  const { data } = useQuery({
    queryKey: ['choices', 'marked'],
    queryFn: () => officeCall('GET /api/office/choices/marked'),
    staleTime: 60_000,
  })
  if (section === 'guestPicks')
    return (
      <TitlePicker
        label="Titles"
        slugs={content.guestPicks}
        onChange={(guestPicks) => change((home) => ({ ...home, guestPicks }))}
      />
    )
  const marked = data?.sections.find((each) => each.section === section)?.titles ?? []
  if (titles === null)
    return (
      <div>
        <p className="hint">{SECTIONS[section]?.help}</p>
        <TextButton onClick={() => onChange({ titles: marked.map(({ slug }) => slug) })}>
          Choose and order them here
        </TextButton>
      </div>
    )
  return (
    <>
      <TitlePicker
        label={titles.length === 1 ? 'One title' : `${titles.length} titles`}
        slugs={titles}
        onChange={(next) => onChange({ titles: next })}
        most={8}
      />
      <TextButton onClick={() => onChange({ titles: null })}>Choose automatically again</TextButton>
    </>
  )
}

/** The opening's words for each reader, and the staff picks. */
function Opening() {
  const { content, change } = useEditing<HomeContent>()
  const { introText, staffPicks } = content
  const setPicks = (next: HomeContent['staffPicks']) => change((home) => ({ ...home, staffPicks: next }))
  return (
    <>
      {(
        [
          ['visitor', 'Words for visitors'],
          ['user', 'Words for people with an account'],
          ['member', 'Words for members'],
        ] as const
      ).map(([reader, label]) => (
        <TextAreaField
          key={reader}
          label={label}
          value={introText[reader]}
          onChange={({ target: { value } }) =>
            change((home) => ({ ...home, introText: { ...home.introText, [reader]: value } }))
          }
        />
      ))}
      {staffPicks.map((pick, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- picks have no number, and their words are typed
        <fieldset key={index} className="plain-fieldset form" data-field={`staffPicks.${index}`}>
          <legend className="label">Staff pick {index + 1}</legend>
          <label className="choice">
            <input
              type="checkbox"
              className="checkbox"
              checked={pick.visible}
              onChange={({ target: { checked } }) =>
                setPicks(replaced(staffPicks, index, { visible: checked }))
              }
            />
            Shown
          </label>
          <Field
            label="Heading"
            value={pick.title}
            onChange={({ target: { value } }) => setPicks(replaced(staffPicks, index, { title: value }))}
          />
          <TextAreaField
            label="Why"
            value={pick.description}
            onChange={({ target: { value } }) =>
              setPicks(replaced(staffPicks, index, { description: value }))
            }
          />
          <Field
            label="Who says so"
            value={pick.author}
            onChange={({ target: { value } }) => setPicks(replaced(staffPicks, index, { author: value }))}
          />
          <TitlePicker
            label="Its title"
            slugs={pick.audioBook === null ? [] : [pick.audioBook]}
            most={1}
            onChange={([audioBook = null]) => setPicks(replaced(staffPicks, index, { audioBook }))}
          />
          <TextButton onClick={() => setPicks(staffPicks.filter((_, place) => place !== index))}>
            Remove staff pick {index + 1}
          </TextButton>
        </fieldset>
      ))}
      <Button
        onClick={() =>
          setPicks([
            ...staffPicks,
            { title: '', description: '', author: '', visible: true, audioBook: null },
          ])
        }
      >
        Add a staff pick
      </Button>
    </>
  )
}

function Stores() {
  const { content, change } = useEditing<HomeContent>()
  const link = (field: 'appStoreLink' | 'playStoreLink', label: string) => (
    <Field
      label={label}
      type="url"
      value={content[field] ?? ''}
      onChange={({ target: { value } }) =>
        change((home) => ({ ...home, [field]: value === '' ? null : value }))
      }
    />
  )
  return (
    <>
      {link('appStoreLink', 'App Store')}
      {link('playStoreLink', 'Google Play')}
    </>
  )
}
