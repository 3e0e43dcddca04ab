import { ArrowsClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowsClockwise'
import { DotsSixVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsSixVertical'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { useRef, useState } from 'react'
import type { EditedBook } from '#contract/office/titles.ts'
import { shortLength } from '#format/duration.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { moved, replaced, useReorder } from '../../list/use-reorder.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { sendFiles, type Sent } from '../../net/send-files.ts'
import { useAct } from '../../net/use-act.ts'
import { useDraft } from '../../net/use-draft.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Section } from '../../ui/Page.tsx'
import { FolderSays } from './FolderSays.tsx'
import type { EditedTitle } from './title-query.ts'

/** The chapters of the audiobook and the text of the e-book. */
export const TitleFiles = ({ title: { slug, books } }: { readonly title: EditedTitle }) => (
  <div id="field-files" className="title-files" tabIndex={-1}>
    {books.map((book) =>
      book.format === 'audio_book' ? (
        <Chapters key={book.id} slug={slug} book={book} />
      ) : (
        <Text key={book.id} slug={slug} book={book} />
      ),
    )}
  </div>
)

interface FilesProps {
  readonly slug: string
  readonly book: EditedBook
}

/** Its number is the one that it had when editing began: two chapters can have the same name and sound. */
type Chapter = EditedBook['chapters'][number]

/** Changed here, and not saved yet. */
interface EditedChapters {
  readonly seen: readonly Chapter[]
  readonly chapters: readonly Chapter[]
}

function Chapters({ slug, book }: FilesProps) {
  const mayChange = useMay()('titles.change')
  const draft = useDraft<EditedChapters>(`numbered chapters ${slug}`)
  const [edited, setEdited] = useState(draft.found)
  const shown = book.chapters
  const chapters = edited?.chapters ?? shown
  const edit = (make: (before: readonly Chapter[]) => readonly Chapter[]) =>
    setEdited((before = { seen: shown, chapters: shown }) => {
      const after = { ...before, chapters: make(before.chapters) }
      draft.keep(after)
      return after
    })
  const leave = () => {
    draft.discard()
    setEdited(undefined)
  }
  const save = useAct(
    ({ seen, chapters: wanted }: EditedChapters) =>
      officeCall('PUT /api/office/titles/{slug}/chapters', {
        params: { slug },
        body: { seen: seen.map(named), chapters: wanted.map(named) },
      }),
    {
      changes: [['title', slug], ['titles']],
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: leave,
    },
  )
  const [sending, setSending] = useState<{ readonly name: string; readonly sent?: Sent }>()
  const send = useAct(
    async ({ file, at }: { readonly file: File; readonly at: Chapter | undefined }) => {
      const name = at?.title ?? file.name
      setSending({ name })
      const { id: batch } = await officeCall('POST /api/office/sounds/uploads')
      let last: Sent | undefined
      await sendFiles(batch, [{ path: file.name, file }], (sent) => setSending({ name, sent: (last = sent) }))
      if (last?.state === 'refused') return { refused: last.why ?? 'It could not be sent.' }
      return officeCall('POST /api/office/sounds', { body: { batch } })
    },
    {
      done: (reply, { file, at }) =>
        'id' in reply
          ? `${at?.title ?? file.name} has its sound. Save the chapters when they are right.`
          : '',
      onDone: (reply, { file, at }) => {
        if (!('id' in reply)) return
        const sound = { sound: reply.id, durationMs: reply.seconds * 1000 }
        edit((before) =>
          at
            ? before.map((each) => (each.number === at.number ? { ...each, ...sound } : each))
            : [
                ...before,
                {
                  number: Math.max(shown.length, ...before.map(({ number }) => number)) + 1,
                  title: file.name.replace(/\.[^.]*$/, ''),
                  ...sound,
                },
              ],
        )
      },
    },
  )
  const { list, moving, grip } = useReorder<HTMLOListElement>({
    count: chapters.length,
    nameOf: (index) => chapters[index]?.title || `chapter ${index + 1}`,
    onMove: (from, to) => edit((before) => moved(before, from, to)),
  })
  const input = useRef<HTMLInputElement>(null)
  const [chosenFor, chooseFor] = useState<Chapter>()
  const choose = (chapter: Chapter | undefined) => {
    chooseFor(chapter)
    input.current?.click()
  }
  const refused = send.data && 'refused' in send.data ? send.data.refused : ''
  const unnamed = chapters.findIndex(({ title }) => title.trim() === '')
  return (
    <Section title="Chapters" note={`${chapters.length}, owned by ${book.owners}`}>
      {!mayChange || shown.length === 0 ? (
        <ol className="chapter-list">
          {shown.map(({ title, durationMs }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two chapters can be the same
            <li key={index}>
              <span className="muted">{index + 1}</span>
              <span>{title}</span>
              <span className="muted nowrap">{shortLength(durationMs / 1000)}</span>
            </li>
          ))}
        </ol>
      ) : (
        <>
          <ol ref={list} className="chapter-list is-edited">
            {chapters.map((chapter, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two chapters can be the same, and their names are typed
              <li key={index} className={cx(moving === index && 'is-moving')}>
                <button {...grip(index)}>
                  <Icon of={DotsSixVerticalIcon} size={18} />
                </button>
                <span className="muted">{index + 1}</span>
                <Field
                  label={<span className="visually-hidden">Name of chapter {index + 1}</span>}
                  value={chapter.title}
                  maxLength={300}
                  onChange={({ target: { value } }) =>
                    edit((before) => replaced(before, index, { title: value }))
                  }
                />
                <span className="muted nowrap">{shortLength(chapter.durationMs / 1000)}</span>
                <IconButton
                  label={`Replace the sound of ${chapter.title}`}
                  of={ArrowsClockwiseIcon}
                  disabled={send.busy}
                  onClick={() => choose(chapter)}
                />
                <IconButton
                  label={`Remove ${chapter.title}`}
                  of={XIcon}
                  disabled={chapters.length === 1}
                  onClick={() => edit((before) => before.filter((_, place) => place !== index))}
                />
              </li>
            ))}
          </ol>
          <input
            ref={input}
            type="file"
            accept=".mp3,.m4a,audio/mpeg,audio/mp4"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="The sound of a chapter (MP3 or M4A)"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void send.write({ file, at: chosenFor })
              target.value = ''
            }}
          />
          <Refusal message={save.refusal || send.refusal || refused} />
          <p className="hint" role="status">
            {send.busy && sending
              ? progress(sending.name, sending.sent)
              : edited && book.owners > 0
                ? 'Its owners hear it like this as soon as you save. Their places stay in their chapters.'
                : ''}
          </p>
          <div className="acts">
            <Button compact icon={PlusIcon} sends busy={send.busy} onClick={() => choose(undefined)}>
              Add a chapter
            </Button>
            {edited && (
              <>
                <Button
                  compact
                  look="solid"
                  sends
                  busy={save.busy}
                  why={
                    send.busy
                      ? 'A sound is still on its way.'
                      : unnamed >= 0
                        ? `Give chapter ${unnamed + 1} a name first.`
                        : undefined
                  }
                  onClick={() => void save.write(edited)}
                >
                  Save the chapters
                </Button>
                <Button compact onClick={leave}>
                  Leave them as they were
                </Button>
              </>
            )}
          </div>
        </>
      )}
      <FolderSays slug={slug} book={book} field="chapters" what="The list of chapters" />
      {book.setByOwner
        .filter((field) => /^chapter \d+$/.test(field) && !book.setByOwner.includes('chapters'))
        .map((field) => (
          <FolderSays key={field} slug={slug} book={book} field={field} what={`The sound of ${field}`} />
        ))}
      {book.importedFrom && <p className="hint">From {book.importedFrom}</p>}
    </Section>
  )
}

const named = ({ title, sound }: Chapter) => ({ title, sound })

function Text({ slug, book }: FilesProps) {
  const mayChange = useMay()('titles.change')
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<Sent>()
  const options = {
    changes: [['title', slug], ['titles']],
    entry: (reply: object) => ('entry' in reply && typeof reply.entry === 'number' ? reply.entry : null),
    done: (reply: object) => ('what' in reply ? `${String(reply.what)}.` : ''),
  }
  const set = useAct(async (file: File) => {
    setSent(undefined)
    const { id: batch } = await officeCall('POST /api/office/sounds/uploads')
    let last: Sent | undefined
    await sendFiles(batch, [{ path: file.name, file }], (now) => setSent((last = now)))
    if (last?.state === 'refused') return { refused: last.why ?? 'It could not be sent.' }
    return officeCall('PUT /api/office/titles/{slug}/text', { params: { slug }, body: { batch } })
  }, options)
  const remove = useAct(
    () => officeCall('DELETE /api/office/titles/{slug}/text', { params: { slug } }),
    options,
  )
  const hasText = typeof book.values.file === 'string'
  const refused = set.data && 'refused' in set.data ? set.data.refused : ''
  return (
    <Section title="E-book" note={`owned by ${book.owners}`}>
      <Refusal message={set.refusal || remove.refusal || refused} />
      <p role="status">
        {set.busy ? progress('The text', sent) : hasText ? 'Its text is here.' : 'It has no text yet.'}
      </p>
      {mayChange && (
        <div className="acts">
          <input
            ref={input}
            type="file"
            accept=".epub,application/epub+zip"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="The text of the e-book (EPUB)"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void set.write(file)
              target.value = ''
            }}
          />
          <Button compact sends busy={set.busy} onClick={() => input.current?.click()}>
            {hasText ? 'Replace the EPUB' : 'Choose an EPUB'}
          </Button>
          {hasText && (
            <Button
              compact
              sends
              busy={remove.busy}
              why={book.owners > 0 ? 'Somebody owns it. Retire it instead.' : undefined}
              onClick={() => void remove.write()}
            >
              Remove the EPUB
            </Button>
          )}
        </div>
      )}
      <FolderSays slug={slug} book={book} field="file" what="The e-book’s file" />
      {book.importedFrom && <p className="hint">From {book.importedFrom}</p>}
    </Section>
  )
}

function progress(name: string, sent: Sent | undefined): string {
  if (!sent) return `${name} is being sent.`
  if (sent.state === 'arrived') return `${name} is being read.`
  if (sent.state === 'lost') return 'The connection is lost. It carries on automatically.'
  return `${name}: ${Math.floor((100 * sent.sent) / Math.max(1, sent.bytes))} per cent sent`
}
