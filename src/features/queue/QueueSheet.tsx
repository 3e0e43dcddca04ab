import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { QueueIcon } from '@phosphor-icons/react/dist/csr/Queue'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { titleKey } from '#storage/title-key.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { type AtEnd, changePlayerSettings, usePlayerSettings } from '#features/player/settings.ts'
import { usePlayer } from '#features/player/store.ts'
import { sheetStyle, type SheetPartProps } from '#features/player/ChaptersSheet.tsx'
import { useTitleTheme } from '#features/player/use-player.ts'
import { shortLength } from '#format/duration.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { moveInQueue, playNext, takeOut } from './actions.ts'
import { ArrangedRows, Row } from './ArrangedRows.tsx'
import styles from './queue.module.css'
import { leaveOut, leftOutAfter, useLeftOut, useQueue } from './use-lists.ts'
import { type WhatNext, whatNext } from './what-next.ts'
import { useId } from 'react'

/** The title playing now, what follows it, and the rest of the queue. */
function useComingNext() {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const knowsUs = useSession((state) => state.status === 'user')
  const online = useOnline() && knowsUs
  const owned = useOwnEntries(owner, online)
  const queue = useQueue(owner) ?? []
  const leftOut = useLeftOut(owner)
  const downloads = useDownloadsStore((state) => state.byTitle)
  const { atEnd } = usePlayerSettings()
  const current = usePlayer(({ state }) => (state.title?.kind === 'book' ? state.title : undefined))
  const here = (key: ShelfEntry['key']) => downloads.get(key)?.state === 'done'
  const words = (entry: ShelfEntry, first = entry.words) =>
    [first, here(entry.key) ? 'on this device' : online ? '' : 'needs a connection']
      .filter(Boolean)
      .join(', ')

  const after = current && titleKey('audio', current.slug)
  const next =
    after &&
    whatNext(after, {
      ...{ owned, atEnd, queue, leftOut: leftOutAfter(leftOut, after) },
      opens: (key) => online || here(key),
    })
  const rest = queue.flatMap((row) => {
    const entry = owned.get(row.key)
    return entry && row.key !== after && row.id !== next?.row?.id
      ? { id: row.id, entry, words: words(entry) }
      : []
  })
  const isOver = !next && rest.length === 0
  const offered =
    isOver && atEnd !== 'silence' ? notStarted(owned, after, (key) => online || here(key)) : undefined
  return { owner, current, after, left: after && owned.get(after), next, rest, isOver, offered, words }
}

/** The audiobook added last that is still to be heard. */
const notStarted = (
  owned: ReadonlyMap<ShelfEntry['key'], ShelfEntry>,
  after: ShelfEntry['key'] | undefined,
  opens: (key: ShelfEntry['key']) => boolean,
): ShelfEntry | undefined =>
  [...owned.values()]
    .filter(
      ({ key, format, heardAtMs, share }) =>
        key !== after && format === 'audioBook' && heardAtMs === undefined && !share && opens(key),
    )
    .sort((one, other) => other.addedAtMs - one.addedAtMs)[0]

/** One line about what follows the current book; opens the sheet. */
export function NextRow({ onPress }: { onPress: () => void }) {
  const { next, offered } = useComingNext()
  const entry = next?.entry ?? offered
  return (
    <button type="button" className={styles.nextRow} onClick={onPress}>
      {entry ? <Cover picture={entry.picture} alt="" sizes="56px" thumb /> : <Icon of={QueueIcon} />}
      <span>
        <span className={styles.words}>
          {next ? `Next, ${next.why.toLowerCase()}` : offered ? 'Next, if you like' : 'What comes next'}
        </span>
        <span className={styles.title}>{entry ? entry.title : 'Nothing after this'}</span>
      </span>
      <Icon of={CaretRightIcon} size={20} />
    </button>
  )
}

/** The actual next title, the queue, and the setting for the end of a book. */
export function QueueSheet({ open, onOpenChange, beside }: SheetPartProps) {
  const { owner, current, after, left, next, rest, isOver, offered, words } = useComingNext()
  const { atEnd } = usePlayerSettings()
  const theme = useTitleTheme(current)
  const no = ({ entry, row }: WhatNext) => {
    if (row) void takeOut(entry.key)
    if (after) void leaveOut(owner, after, entry.key)
  }
  const choose = (chosen: AtEnd) => changePlayerSettings({ atEnd: chosen })

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="What comes next"
      side="bottom"
      beside={beside}
      {...(current ? { tone: 'title', style: sheetStyle(theme) } : {})}
    >
      {current && next && (
        <section aria-label={`When ${current.title} ends`}>
          <h3 className={styles.head}>
            <span>
              When <i>{current.title}</i> ends
            </span>
            <span className={styles.when}>{leftOf(left)}</span>
          </h3>
          <Row entry={next.entry} words={words(next.entry, next.why)} first>
            <IconButton
              label={`Leave out ${next.entry.title}`}
              icon={<Icon of={XIcon} />}
              onClick={() => no(next)}
            />
          </Row>
        </section>
      )}
      {rest.length > 0 && (
        <>
          <h3 className={styles.head}>{next ? 'Then, from your queue' : 'Your queue'}</h3>
          <ArrangedRows
            rows={rest}
            where="your queue"
            onMove={(id, to) => void moveInQueue(id, to + (next?.row ? 1 : 0))}
            onTakeOut={({ entry }) => void takeOut(entry.key)}
          />
        </>
      )}
      {isOver && <p className={styles.empty}>Nothing after this. Silence is fine too.</p>}
      {offered && (
        <section aria-label="Not started yet">
          <Row entry={offered} words={words(offered)} first>
            <IconButton
              label={`Play ${offered.title} next`}
              icon={<Icon of={PlusIcon} />}
              onClick={() => void playNext(offered.key, offered.title)}
            />
          </Row>
        </section>
      )}
      <EndOfBook chosen={atEnd} onChoose={choose} />
    </Sheet>
  )
}

const leftOf = (entry: ShelfEntry | undefined) =>
  entry?.secondsLeft === undefined ? '' : `in ${shortLength(Math.max(60, entry.secondsLeft))}`

const CHOICES: readonly (readonly [AtEnd, string, string])[] = [
  ['series', 'Series', 'Next in the series, then your queue. You get ten seconds to stop it.'],
  ['queue', 'Queue', 'The first of your queue. You get ten seconds to stop it.'],
  ['silence', 'Silence', 'A book ends, and nothing follows it.'],
]

function EndOfBook({ chosen, onChoose }: { chosen: AtEnd; onChoose: (chosen: AtEnd) => void }) {
  const name = useId()
  return (
    <>
      <fieldset className={styles.choice}>
        <legend>At the end of a book</legend>
        <div className={styles.segments}>
          {CHOICES.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <p className={styles.hint}>{CHOICES.find(([value]) => value === chosen)?.[2]}</p>
    </>
  )
}
