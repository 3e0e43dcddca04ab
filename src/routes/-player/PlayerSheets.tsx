import { Link } from '@tanstack/react-router'
import { type InStep, sentenceAt } from '#features/in-step/in-step.ts'
import { useInStep } from '#features/in-step/use-in-step.ts'
import { EarlierPlaces } from '#features/listening/EarlierPlaces.tsx'
import { BookmarkNote } from '#features/listening/SavedNotes.tsx'
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import {
  QUICK_SPEEDS,
  SPEEDS,
  QUICK_SLEEP_MINUTES,
  SLEEP_HOURS,
  SLEEP_MINUTES,
} from '#contract/player-limits.ts'
import { Chip } from '#ui/Chip.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Slider } from '#ui/Slider.tsx'
import styles from './player.module.css'
import { sheetStyle, type SheetPartProps } from '#features/player/ChaptersSheet.tsx'
import { speedAt, speedIndex, speedLabel, stepSpeed } from '#features/player/speed.ts'
import { usePlayer } from '#features/player/store.ts'
import { useTitleTheme, useBookmarks } from '#features/player/use-player.ts'
import { useState, useEffect, useRef, useId } from 'react'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField, TextArea } from '#ui/Field.tsx'
import {
  changePlayerSettings,
  SILENCE_CHOICES,
  type Silences,
  useLastSleep,
  usePlayerSettings,
} from '#features/player/settings.ts'
import { skippedSeconds } from '#features/player/shorten-silences.ts'
import { ADDED_MINUTES, type SleepState, type SleepChoice } from '#features/player/sleep-timer.ts'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { clock, spokenClock } from '#format/clock.ts'
import { toast } from '#ui/toast.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { chapterAt } from '#features/player/model.ts'
import type { Bookmark, EarlierNote } from '#features/player/ports.ts'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'
import { longDate } from '#format/date.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { keyList, VOLUME_KEYS } from './keyboard.ts'

/** PLAY-19: 0.5 to 2.0, applied at once, stored for the book. */
export function SpeedSheet({ open, onOpenChange, beside }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const controls = usePlayer((store) => store.controls)
  const speed = usePlayer((store) => store.state.speed)
  const [slowest = 0.5] = SPEEDS
  const fastest = SPEEDS.at(-1) ?? 2
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Speed"
      side="bottom"
      beside={beside}
      tone="title"
      style={sheetStyle(theme)}
    >
      <div className={styles.stepper}>
        <IconButton
          label="Slower"
          icon={<Icon of={MinusIcon} />}
          disabled={speed <= slowest}
          onClick={() => controls?.setSpeed(stepSpeed(speed, -1))}
        />
        <output className={styles.value}>{speedLabel(speed)}</output>
        <IconButton
          label="Faster"
          icon={<Icon of={PlusIcon} />}
          disabled={speed >= fastest}
          onClick={() => controls?.setSpeed(stepSpeed(speed, 1))}
        />
      </div>
      <Slider
        label="Speed"
        // The index in the list, because its steps are unequal.
        value={speedIndex(speed)}
        max={SPEEDS.length - 1}
        largeStep={5}
        valueText={(at) => `${speedAt(at)} times`}
        onChange={(at) => controls?.setSpeed(speedAt(at))}
        tone="title"
      />
      <div className={styles.speeds} role="group" aria-label="Quick choices">
        {QUICK_SPEEDS.map((quick) => (
          <Chip key={quick} pressed={speed === quick} onClick={() => controls?.setSpeed(quick)}>
            {speedLabel(quick)}
          </Chip>
        ))}
      </div>
      {title?.kind === 'book' && <SilencesChoice />}
    </Sheet>
  )
}

const SILENCES: Readonly<Record<Silences, string>> = { off: 'Off', gentle: 'Gentle', brisk: 'Brisk' }

function SilencesChoice() {
  const chosen = usePlayerSettings((settings) => settings.silences)
  const cuts = usePlayer((store) => store.cuts)
  const speed = usePlayer((store) => store.state.speed)
  const id = useId()
  return (
    <div className={styles.silences}>
      <p id={id}>Shorten silences</p>
      <div className={styles.speeds} role="group" aria-labelledby={id}>
        {SILENCE_CHOICES.map((each) => (
          <Chip key={each} pressed={chosen === each} onClick={() => changePlayerSettings({ silences: each })}>
            {SILENCES[each]}
          </Chip>
        ))}
      </div>
      {chosen !== 'off' && (
        <p role="status">
          {cuts
            ? `${savedWords(skippedSeconds(cuts) / speed)} saved in this book.`
            : 'The silences of this book aren’t known yet.'}
        </p>
      )}
    </div>
  )
}

function savedWords(seconds: number): string {
  const [count, unit] = seconds < 90 ? [Math.round(seconds), 'second'] : [Math.round(seconds / 60), 'minute']
  return plural(count, unit)
}

/** PLAY-20. */
export function SleepSheet({ open, onOpenChange, beside }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const timer = usePlayer((store) => store.player?.sleep)
  const sleep = usePlayer((store) => store.sleep)
  const setsVolume = usePlayer((store) => store.player?.engine.setsVolume ?? true)
  const last = useLastSleep()
  const start = (choice: SleepChoice) => {
    useLastSleep.setState(choice, true)
    timer?.start(choice)
    onOpenChange(false)
  }
  const isQuick = (minutes: number) => sleep.choice?.kind === 'minutes' && sleep.choice.minutes === minutes

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Sleep timer"
      side="bottom"
      beside={beside}
      tone="title"
      style={sheetStyle(theme)}
    >
      {sleep.choice && (
        <div className={styles.running}>
          <p>{leftWords(sleep)}</p>
          {sleep.choice.kind !== 'nextChapter' && (
            <Button tone="title" onClick={() => timer?.add()}>
              {sleep.choice.kind === 'chapter' ? 'One chapter more' : `Add ${ADDED_MINUTES} min`}
            </Button>
          )}
          <Button look="quiet" tone="title" onClick={() => timer?.clear()}>
            Turn off timer
          </Button>
        </div>
      )}
      <div className={styles.chips} role="group" aria-label="Stop after">
        {last.kind && (
          <Chip pressed={false} onClick={() => start(last)}>
            Last time: {choiceWords(last)}
          </Chip>
        )}
        {QUICK_SLEEP_MINUTES.map((minutes) => (
          <Chip key={minutes} pressed={isQuick(minutes)} onClick={() => start({ kind: 'minutes', minutes })}>
            {minutes} min
          </Chip>
        ))}
        <Chip pressed={sleep.choice?.kind === 'chapter'} onClick={() => start({ kind: 'chapter' })}>
          End of chapter
        </Chip>
        <Chip pressed={sleep.choice?.kind === 'nextChapter'} onClick={() => start({ kind: 'nextChapter' })}>
          End of next chapter
        </Chip>
      </div>
      {timer && !setsVolume && (
        <p className={styles.hint}>This device sets its own volume, so the sound stops without fading.</p>
      )}
      <CustomTime onSet={(minutes) => start({ kind: 'minutes', minutes })} />
    </Sheet>
  )
}

function CustomTime({ onSet }: { onSet: (minutes: number) => void }) {
  const [hours, setHours] = useState(0)
  const [minutes, setMinutes] = useState(20)
  const total = hours * 60 + minutes
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault()
        if (total > 0) onSet(total)
      }}
    >
      <SelectField label="Hours" value={hours} onChange={(event) => setHours(Number(event.target.value))}>
        {SLEEP_HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {hour}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Minutes"
        value={minutes}
        onChange={(event) => setMinutes(Number(event.target.value))}
      >
        {SLEEP_MINUTES.map((minute) => (
          <option key={minute} value={minute}>
            {minute}
          </option>
        ))}
      </SelectField>
      <Button
        type="submit"
        tone="title"
        {...(total === 0 ? { disabledReason: 'Choose at least five minutes' } : {})}
      >
        Set timer
      </Button>
    </form>
  )
}

/** "1 h 5 min", "end of chapter". */
function choiceWords(choice: SleepChoice): string {
  if (choice.kind !== 'minutes') return choice.kind === 'chapter' ? 'end of chapter' : 'end of next chapter'
  const [hours, minutes] = [Math.floor(choice.minutes / 60), choice.minutes % 60]
  if (!hours) return `${minutes} min`
  return choice.minutes === 60 ? '60 min' : `${hours} h${minutes ? ` ${minutes} min` : ''}`
}

function leftWords({ choice, leftSeconds }: SleepState): string {
  if (choice?.kind === 'nextChapter') return 'Stops at the end of the next chapter'
  if (leftSeconds === undefined) return 'Stops at the end of this chapter'
  return `Stops in ${plural(Math.ceil(leftSeconds / 60), 'minute')}`
}

interface BookmarksSheetProps extends SheetPartProps {
  /** The bookmark whose note form is open from the start. */
  noteFor?: string | undefined
}

export function BookmarksSheet({ open, onOpenChange, noteFor }: BookmarksSheetProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const ownWindow = usePlayer((store) => store.player?.window)
  const marks = useBookmarks()
  const inStep = useInStep(title)
  const [writing, setWriting] = useState(noteFor)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Bookmarks" tone="title" style={sheetStyle(theme)}>
      <div className={styles.markWaiting}>
        <BookmarkNote />
        {!ownWindow && (
          <Link to="/library/notes" search={{ book: `audio/${title?.slug}` }} className="text-link">
            All bookmarks and notes
          </Link>
        )}
      </div>
      {marks.length === 0 && (
        <p className={styles.none}>Nothing marked yet. Press Bookmark at a sentence worth keeping.</p>
      )}
      <ul className={styles.list}>
        {marks.map((mark) => (
          <li key={mark.id} className={styles.mark}>
            <MarkRow
              mark={mark}
              words={mark.sentence ?? wordsAt(inStep, mark)}
              onGo={() => onOpenChange(false)}
              onWrite={() => setWriting(mark.id)}
            />
            {writing === mark.id && <NoteForm mark={mark} onDone={() => setWriting(undefined)} />}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** For a bookmark without a stored sentence: the one at its place, if the listener owns the e-book. */
const wordsAt = (inStep: InStep | undefined, mark: Bookmark) => inStep && sentenceAt(inStep, mark)?.words

interface MarkRowProps {
  mark: Bookmark
  words: string | undefined
  onGo: () => void
  onWrite: () => void
}

function MarkRow({ mark, words, onGo, onWrite }: MarkRowProps) {
  const chapters = usePlayer((store) => store.state.title?.chapters ?? [])
  const controls = usePlayer((store) => store.controls)
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const chapter = chapterAt(chapters, mark.chapter)
  const where = `${chapter?.title ?? `Chapter ${mark.chapter}`}, ${clock(mark.seconds)}`
  const remove = () => {
    bookmarks?.remove(mark.id)
    toast('Bookmark removed.', { action: { label: 'Undo', onPress: () => bookmarks?.restore(mark) } })
  }
  return (
    <div className={styles.markRow}>
      <button
        type="button"
        className={styles.place}
        onClick={() => {
          controls?.goTo(mark)
          onGo()
        }}
      >
        <span className={styles.markChapter}>{chapter?.title ?? `Chapter ${mark.chapter}`}</span>
        <span className={styles.markSoft} aria-hidden="true">
          {clock(mark.seconds)}
        </span>
        <VisuallyHidden>{spokenClock(mark.seconds)}</VisuallyHidden>
        {words && <q className={styles.markWords}>{words}</q>}
        {mark.note && <span className={styles.markNote}>{mark.note}</span>}
      </button>
      <IconButton
        label={`Note at ${where}`}
        icon={<Icon of={NotePencilIcon} size={22} />}
        onClick={onWrite}
      />
      <IconButton label={`Remove ${where}`} icon={<Icon of={TrashIcon} size={22} />} onClick={remove} />
    </div>
  )
}

/** The note of a bookmark, and its earlier versions. */
function NoteForm({ mark, onDone }: { mark: Bookmark; onDone: () => void }) {
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const [note, setNote] = useState(mark.note)
  const form = useRef<HTMLFormElement>(null)
  const write = () => form.current?.querySelector('textarea')?.focus()
  // Focus the form, because it replaces the pressed button.
  useEffect(write, [])
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        bookmarks?.setNote(mark.id, note.trim())
        onDone()
      }}
    >
      <TextArea
        label="Note"
        value={note}
        maxLength={BOOKMARK_NOTE_LENGTH}
        rows={3}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" tone="title">
        Save note
      </Button>
      <EarlierVersions
        id={mark.id}
        onUse={(earlier) => {
          setNote(earlier)
          write()
        }}
      />
    </form>
  )
}

/** Fetched on request. If two devices wrote a note, the newer one replaced the other. */
function EarlierVersions({ id, onUse }: { id: string; onUse: (note: string) => void }) {
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const [notes, setNotes] = useState<readonly EarlierNote[]>()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      const written = ((await bookmarks?.earlierNotes(id)) ?? []).filter(({ note }) => note !== '')
      setNotes(written)
      setSaid(written.length === 0 ? 'There are no earlier versions of this note.' : '')
    } catch {
      setSaid('Earlier versions need a connection.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {!notes && (
        <Button look="text" tone="title" busy={busy} onClick={() => void ask()}>
          Earlier versions
        </Button>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
      {notes && notes.length > 0 && (
        <ul role="list" className={styles.earlier} aria-label="Earlier versions">
          {notes.map(({ note, changedAt }) => (
            <li key={`${changedAt} ${note}`}>
              <p className={styles.sheetNote}>{note}</p>
              <p className={styles.said}>{longDate(changedAt)}</p>
              <Button look="quiet" tone="title" onClick={() => onUse(note)}>
                Use this one
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function EarlierSheet({ open, onOpenChange }: SheetPartProps) {
  const slug = usePlayer((store) => store.state.title?.slug)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Listening history">
      {slug !== undefined && <EarlierPlaces slug={slug} onDone={() => onOpenChange(false)} />}
    </Sheet>
  )
}

export function KeysDialog({ open, onOpenChange }: SheetPartProps) {
  const settings = usePlayerSettings()
  const setsVolume = usePlayer((store) => store.player?.engine.setsVolume ?? true)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="stack gap-1-5">
        {keyList(settings)
          .filter(([key]) => setsVolume || !VOLUME_KEYS.has(key))
          .map(([key, does]) => (
            <div key={key} className={styles.keyRow}>
              <dt>
                <kbd className={styles.key}>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
      </dl>
      <p className={styles.keysNote}>
        {settings.keys
          ? 'They work while the player has focus. You can turn them off in settings.'
          : 'They’re turned off in your settings.'}
      </p>
    </Dialog>
  )
}
