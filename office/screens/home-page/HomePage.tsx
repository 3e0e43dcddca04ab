import { DotsSixVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsSixVertical'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { HomeContent, HomePanelContent, OfficeDocument } from '#contract/office/documents.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import { DocumentPage } from '../../documents/DocumentPage.tsx'
import type { Editing } from '../../documents/use-document.ts'
import { moved, replaced, useReorder } from '../../list/use-reorder.ts'
import { PopButton } from '../../list/PopButton.tsx'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { State } from '../../ui/State.tsx'
import { exactly } from '../../ui/when.ts'
import { PanelLook } from './PanelLook.tsx'
import { panelName, SECTIONS } from './sections.ts'
import './home-page.css'

export const HomePage = () => (
  <DocumentPage<HomeContent>
    name={{ kind: 'home', key: 'home' }}
    what="Home page"
    title={() => 'Home page'}
    at="/home-page"
    countChanges={countChanges}
    acts={
      <LinkButton icon={EyeIcon} to="/home-page/look">
        Look at it
      </LinkButton>
    }
  >
    {(editing) => <Panels {...editing} />}
  </DocumentPage>
)

function Panels({ content, change }: Editing<HomeContent>) {
  const { panels } = content
  const { section: open } = useParams({ strict: false })
  const set = (next: HomePanelContent[]) => change((home) => ({ ...home, panels: next }))
  const { list, moving, grip } = useReorder<HTMLUListElement>({
    count: panels.length,
    nameOf: (index) => (panels[index] ? panelName(panels[index]) : ''),
    onMove: (from, to) => set(moved(panels, from, to)),
  })
  return (
    <>
      <ul ref={list} className="panels">
        {panels.map((panel, index) => {
          const name = panelName(panel)
          return (
            <li
              key={panel.section}
              className={cx(
                !panel.visible && 'is-hidden',
                (moving === index || open === panel.section) && 'is-chosen',
              )}
            >
              <div className="panel-head">
                <button {...grip(index)}>
                  <Icon of={DotsSixVerticalIcon} size={18} />
                </button>
                <Link
                  to="/home-page/$section"
                  params={{ section: panel.section }}
                  className="strong"
                  data-field={panel.section}
                >
                  {name}
                </Link>
                <When panel={panel} />
                <IconButton
                  className="push"
                  label={`${panel.visible ? 'Hide' : 'Show'} ${name}`}
                  of={panel.visible ? EyeIcon : EyeSlashIcon}
                  aria-pressed={!panel.visible}
                  onClick={() => set(replaced(panels, index, { visible: !panel.visible }))}
                />
              </div>
              <PanelLook panel={panel} content={content} />
            </li>
          )
        })}
      </ul>
      <AddPanel panels={panels} onAdd={(panel) => set([...panels, panel])} />
    </>
  )
}

function When({ panel: { from, until, seenBy } }: { readonly panel: HomePanelContent }) {
  const [now] = useState(() => Date.now())
  return (
    <>
      {from !== null && Date.parse(from) > now ? (
        <State kind="later">from {exactly(from)}</State>
      ) : until !== null ? (
        <span className="muted small">
          {Date.parse(until) < now ? 'ended' : 'until'} {exactly(until)}
        </span>
      ) : null}
      {seenBy !== 'everyone' && <span className="muted small">{SEEN_BY_WORDS[seenBy].toLowerCase()}</span>}
    </>
  )
}

export const SEEN_BY_WORDS: Readonly<Record<HomePanelContent['seenBy'], string>> = {
  everyone: 'Everyone',
  visitors: 'Visitors without an account',
  accounts: 'People with an account',
  members: 'Members',
}

function AddPanel({
  panels,
  onAdd,
}: {
  readonly panels: readonly HomePanelContent[]
  readonly onAdd: (panel: HomePanelContent) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const left = Object.entries(SECTIONS).filter(
    ([section]) => !panels.some((panel) => panel.section === section),
  )
  if (left.length === 0) return null
  return (
    <p className="panel-add">
      <PopButton
        className="button quiet"
        title="Add a panel"
        isOpen={isOpen}
        onOpenChange={setOpen}
        label={
          <>
            <Icon of={PlusIcon} size={18} />
            Add a panel
          </>
        }
      >
        <ul className="title-offers">
          {left.map(([section, { name }]) => (
            <li key={section}>
              <button
                type="button"
                onClick={() => {
                  onAdd({
                    section,
                    title: name,
                    visible: true,
                    seenBy: 'everyone',
                    from: null,
                    until: null,
                    titles: null,
                  })
                  setOpen(false)
                }}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </PopButton>
    </p>
  )
}

/** Panels that differ, their order, and each other text as one. */
function countChanges({ published }: OfficeDocument, content: HomeContent): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends the content of its kind
  const before = published as HomeContent | null
  if (!before) return 1
  const same = (one: unknown, two: unknown) => JSON.stringify(one) === JSON.stringify(two)
  const sections = (home: HomeContent) => home.panels.map(({ section }) => section)
  const all = [...new Set([...sections(before), ...sections(content)])]
  const panel = (home: HomeContent, wanted: string) => home.panels.find(({ section }) => section === wanted)
  const changed = all.filter((section) => !same(panel(before, section), panel(content, section))).length
  const isMoved = !same(
    sections(before).filter((section) => panel(content, section)),
    sections(content).filter((section) => panel(before, section)),
  )
  const { panels: _before, ...textsBefore } = before
  const { panels: _now, ...texts } = content
  const others = Object.keys(texts).filter(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
    (field) => !same(textsBefore[field as keyof typeof texts], texts[field as keyof typeof texts]),
  ).length
  return changed + Number(isMoved) + others
}
