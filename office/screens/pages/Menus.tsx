import { DotsSixVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsSixVertical'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import type { MenusContent } from '#contract/office/documents.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import type { Editing } from '../../documents/use-document.ts'
import { moved, replaced, useReorder } from '../../list/use-reorder.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Section } from '../../ui/Page.tsx'
import './pages.css'

type Entry = MenusContent['main'][number]

export const Menus = ({ content, change }: Pick<Editing<MenusContent>, 'content' | 'change'>) => (
  <>
    <Section title="Main menu" note="Products, the Journal and links, under the shop’s header">
      <Entries
        menu="main"
        entries={content.main}
        onChange={(main) => change((menus) => ({ ...menus, main }))}
      />
      <MenuLook entries={content.main} hasHeads />
    </Section>
    <Section title="Search shortcuts" note="below the search field while nothing is typed">
      <Entries
        menu="search"
        entries={content.search}
        onChange={(search) => change((menus) => ({ ...menus, search }))}
      />
      <MenuLook entries={content.search} />
    </Section>
  </>
)

/** Columns have one head that is seen; each field has its own for screen readers. */
const only = (index: number, label: string) =>
  index === 0 ? label : <span className="visually-hidden">{label}</span>

function Entries({
  menu,
  entries,
  onChange,
}: {
  readonly menu: 'main' | 'search'
  readonly entries: readonly Entry[]
  readonly onChange: (entries: Entry[]) => void
}) {
  const { list, moving, grip } = useReorder<HTMLUListElement>({
    count: entries.length,
    nameOf: (index) => entries[index]?.title || 'the entry without a name',
    onMove: (from, to) => onChange(moved(entries, from, to)),
  })
  const groups = [...new Set(entries.map(({ group }) => group))]
  const last = entries.at(-1)?.group ?? (menu === 'main' ? 'Links' : 'Group 1')
  return (
    <>
      <ul ref={list} className="menu-entries">
        {entries.map(({ group, title, url, style, hidden }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no number, and their names are typed
          <li key={index} className={cx(moving === index && 'is-moving', hidden && 'is-hidden')}>
            <button {...grip(index)}>
              <Icon of={DotsSixVerticalIcon} size={18} />
            </button>
            <Field
              label={only(index, 'Name')}
              data-field={`${menu}.${index}.title`}
              value={title}
              onChange={({ target: { value } }) => onChange(replaced(entries, index, { title: value }))}
            />
            <Field
              label={only(index, 'Leads to')}
              data-field={`${menu}.${index}.url`}
              value={url}
              onChange={({ target: { value } }) => onChange(replaced(entries, index, { url: value }))}
            />
            <Field
              label={only(index, 'Group')}
              list={`${menu}-groups`}
              value={group}
              onChange={({ target: { value } }) => onChange(replaced(entries, index, { group: value }))}
            />
            <label className="choice">
              <input
                type="checkbox"
                className="checkbox"
                checked={style === 'Italic'}
                onChange={({ target: { checked } }) =>
                  onChange(replaced(entries, index, { style: checked ? 'Italic' : null }))
                }
              />
              Italic
            </label>
            <IconButton
              label={`${hidden ? 'Show' : 'Hide'} ${title}`}
              of={hidden ? EyeSlashIcon : EyeIcon}
              aria-pressed={hidden}
              onClick={() => onChange(replaced(entries, index, { hidden: !hidden }))}
            />
            <IconButton
              label={`Remove ${title}`}
              of={XIcon}
              onClick={() => onChange(entries.filter((_, place) => place !== index))}
            />
          </li>
        ))}
      </ul>
      <datalist id={`${menu}-groups`}>
        {groups.map((group) => (
          <option key={group} value={group}>
            {group}
          </option>
        ))}
      </datalist>
      <Button
        compact
        icon={PlusIcon}
        onClick={() =>
          onChange([...entries, { group: last, title: '', url: '/', style: null, hidden: false }])
        }
      >
        Add an entry
      </Button>
    </>
  )
}

/** As the shop draws it: groups in the order of their first entry, and nothing that is hidden. */
function MenuLook({
  entries,
  hasHeads = false,
}: {
  readonly entries: readonly Entry[]
  readonly hasHeads?: boolean
}) {
  const shown = entries.filter(({ hidden, title }) => !hidden && title.trim() !== '')
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <div className="menu-look" role="group" aria-label="As it will look">
      {groups.length === 0 && <p className="muted">Nothing is shown.</p>}
      {groups.map((group) => (
        <div key={group}>
          {hasHeads && <p className="small muted">{group}</p>}
          <ul>
            {shown
              .filter((entry) => entry.group === group)
              .map(({ title, url, style }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two entries can say the same
                <li key={index} title={url}>
                  {style === 'Italic' ? <i>{title}</i> : title}
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
