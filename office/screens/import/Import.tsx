import { UploadSimpleIcon } from '@phosphor-icons/react/dist/csr/UploadSimple'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { FoundHere, ImportBatch, Said } from '#contract/office/imports.ts'
import { bytes } from '#format/bytes.ts'
import { Icon } from '#ui/Icon.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { useListSearch } from '../../list/use-list-search.ts'
import { officeCall } from '../../net/office-call.ts'
import { renew, useAct, useBusy } from '../../net/use-act.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Field, Form } from '../../ui/Field.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { State } from '../../ui/State.tsx'
import { Failed } from '../../ui/states.tsx'
import { namesIn, seriesIn, seriesText } from '../../ui/typed-names.ts'
import { chosenFiles, type Dropped, droppedFiles, sendFiles, type Sent } from '../../net/send-files.ts'
import './import.css'

const LOOK_AGAIN_MS = 1_000

const batchQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['import', id ?? 'latest'],
    queryFn: async (): Promise<ImportBatch | null> =>
      id
        ? officeCall('GET /api/office/imports/{id}', { params: { id } })
        : (await officeCall('GET /api/office/imports/latest')).batch,
    refetchInterval: ({ state: { data } }) =>
      (data?.state === 'reading' || data?.state === 'importing') && !data.isStuck ? LOOK_AGAIN_MS : false,
  })

export function Import() {
  const { search, set } = useListSearch()
  const { data: batch, error, refetch } = useQuery(batchQuery(search.batch))
  const [sending, setSending] = useState<ReadonlyMap<string, Sent>>(new Map())
  const { busy, run } = useBusy()
  const isOpen = batch !== null && batch !== undefined && batch.state !== 'done'

  const read = (id: string) => officeCall('POST /api/office/imports/{id}/read', { params: { id } })
  const take = (files: readonly Dropped[]) =>
    run(async () => {
      if (files.length === 0) return
      const id = isOpen ? batch.id : (await officeCall('POST /api/office/imports')).id
      if (id !== search.batch) set({ batch: id })
      const here = new Map((isOpen ? batch.received : []).map(({ path, bytes: size }) => [path, size]))
      const isHere = ({ path, file }: Dropped) => here.get(path) === file.size
      setSending(
        new Map(
          files.map((each) => [
            each.path,
            {
              path: each.path,
              bytes: each.file.size,
              sent: isHere(each) ? each.file.size : 0,
              state: isHere(each) ? 'arrived' : 'waiting',
            },
          ]),
        ),
      )
      await sendFiles(
        id,
        files.filter((each) => !isHere(each)),
        (change) => setSending((before) => new Map(before).set(change.path, change)),
      )
      await read(id)
      await renew([['import']])
    })
  const readNow = useAct((id: string) => read(id), { changes: [['import']] })
  const drop = useAct((id: string) => officeCall('DELETE /api/office/imports/{id}', { params: { id } }), {
    changes: [['import']],
    done: () => 'The files are thrown away.',
    onDone: () => {
      setSending(new Map())
      set({ batch: '' })
    },
  })
  return (
    <Page
      title="Bring in books"
      crumb={
        <>
          <Link to="/titles">Titles</Link> <span>Bring in</span>
        </>
      }
      sub="Folders or ZIPs of them, MP3, M4B, EPUB, and catalogues as CSV or ONIX. Nothing is sold before it has a price."
    >
      <DropZone busy={busy} onFiles={(files) => void take(files)} />
      <Refusal message={readNow.refusal || drop.refusal} />
      {sending.size > 0 && <Sending files={[...sending.values()]} />}
      {error && !batch && <Failed what="The import" problem={error} onRetry={() => void refetch()} />}
      {batch && !busy && (
        <>
          {(batch.state === 'uploading' || batch.isStuck) && (
            <p className="below">
              {batch.received.length} {batch.received.length === 1 ? 'file is' : 'files are'} here.{' '}
              <Button
                busy={readNow.busy}
                sends
                why={batch.received.length === 0 ? 'Drop something first.' : undefined}
                onClick={() => void readNow.write(batch.id)}
              >
                Look at what arrived
              </Button>
            </p>
          )}
          {batch.problem && <Refusal message={batch.problem} />}
          {batch.state !== 'uploading' && <Found key={batch.id} batch={batch} />}
          {isOpen && batch.state !== 'reading' && batch.state !== 'importing' && (
            <p className="below">
              <TextButton onClick={() => void drop.write(batch.id)}>Throw these files away</TextButton>
            </p>
          )}
        </>
      )}
    </Page>
  )
}

function DropZone({
  busy,
  onFiles,
}: {
  readonly busy: boolean
  readonly onFiles: (files: readonly Dropped[]) => void
}) {
  const [isOver, setOver] = useState(false)
  const folder = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!busy) void droppedFiles(event.dataTransfer).then(onFiles)
  }
  const picked = (input: HTMLInputElement) => {
    if (input.files) onFiles(chosenFiles(input.files))
    input.value = ''
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons inside do the same
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon of={UploadSimpleIcon} size={26} />
      <b>Drop folders here</b> <span className="muted">or</span>
      <Button
        sends
        why={busy ? 'Files are on their way.' : undefined}
        onClick={() => folder.current?.click()}
      >
        Choose a folder
      </Button>
      <Button sends why={busy ? 'Files are on their way.' : undefined} onClick={() => files.current?.click()}>
        Choose files
      </Button>
      <input
        ref={folder}
        type="file"
        hidden
        multiple
        aria-label="A folder"
        {...{ webkitdirectory: '' }}
        onChange={({ target }) => picked(target)}
      />
      <input
        ref={files}
        type="file"
        hidden
        multiple
        aria-label="Files"
        accept=".mp3,.m4a,.m4b,.epub,.csv,.xml,.zip"
        onChange={({ target }) => picked(target)}
      />
      <span className="push small muted">
        Close this page if you like: drop the same folder again and it goes on where it stopped.
      </span>
    </div>
  )
}

function Sending({ files }: { readonly files: readonly Sent[] }) {
  const groups = Map.groupBy(files, ({ path }) => path.split('/')[0]!)
  const arrived = files.filter(({ state }) => state === 'arrived').length
  const refused = files.filter(({ state }) => state === 'refused')
  return (
    <Section title="Uploading" note={`${arrived} of ${files.length} files here`}>
      <table className="table">
        <tbody>
          {[...groups].map(([name, group]) => {
            const total = group.reduce((sum, each) => sum + each.bytes, 0)
            const sent = group.reduce((sum, each) => sum + each.sent, 0)
            const isLost = group.some(({ state }) => state === 'lost')
            const isDone = group.every(({ state }) => state === 'arrived' || state === 'refused')
            return (
              <tr key={name}>
                <th scope="row" className="strong">
                  {name}
                </th>
                <td className="muted nowrap wide-only">
                  {group.length} {group.length === 1 ? 'file' : 'files'}, {bytes(total)}
                </td>
                <td>
                  <progress aria-label={`${name} sent`} max={total || 1} value={sent} />
                </td>
                <td className="num nowrap">
                  {isLost ? (
                    <span className="bad">Connection lost. We’ll carry on.</span>
                  ) : isDone ? (
                    <span className="muted">Arrived</span>
                  ) : (
                    <span className="muted">{Math.floor((100 * sent) / (total || 1))}%</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {refused.length > 0 && (
        <ul className="below small bad">
          {refused.slice(0, 20).map(({ path, why }) => (
            <li key={path}>
              {path}: {why}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The importer's note names commands. */
const inTheOffice = (note: string): string =>
  note.startsWith('No price') ? 'No price yet: it is listed, and not sold until you give it one.' : note

const isGuessed = ({ notes }: FoundHere): boolean => notes.some((note) => note.startsWith('Guessed'))

function Found({ batch }: { readonly batch: ImportBatch }) {
  const { id, state, report, doneCount, isStuck } = batch
  const [confirmed, setConfirmed] = useState<Readonly<Record<string, boolean>>>({})
  const isIn = (found: FoundHere) =>
    found.outcome !== 'refused' && (confirmed[found.folder] ?? !isGuessed(found))
  const chosen = report.filter(isIn)
  const bring = useAct(
    () =>
      officeCall('POST /api/office/imports/{id}/confirm', {
        params: { id },
        body: { folders: chosen.map(({ folder }) => folder) },
      }),
    { changes: [['import'], ['titles']] },
  )
  const [correcting, correct] = useState<string>()
  const [closed, setClosed] = useState<string>()
  const isDone = state === 'done'
  const isBusy = (state === 'reading' || state === 'importing') && !isStuck
  const count = (some: readonly FoundHere[]) => some.length
  const refused = report.filter(({ outcome }) => outcome === 'refused')
  return (
    <Section
      title={isDone ? 'Brought in' : 'What we found'}
      note={
        <span role="status">
          {isBusy
            ? `${state === 'reading' ? 'Reading' : 'Bringing in'}: ${doneCount} so far`
            : `${count(report)} found, ${count(refused)} refused`}
        </span>
      }
    >
      <Refusal message={bring.refusal} />
      <ul className="found-list">
        {report.map((found) => (
          <li key={found.folder}>
            <div>
              <b className="strong">{found.about}</b>
              {found.about !== found.folder && <span className="muted small"> {found.folder}</span>}
              {[...found.details, ...found.notes].map((note) => (
                <p key={note} className={found.outcome === 'refused' ? 'hint bad' : 'hint'}>
                  {inTheOffice(note)}
                </p>
              ))}
              {found.left.length > 0 && (
                <p className="hint">Keeps what you set here: {found.left.join(', ')}.</p>
              )}
              {found.said && !isDone && !isBusy && correcting !== found.folder && (
                <TextButton
                  // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the form that was closed
                  autoFocus={closed === found.folder}
                  aria-label={`Correct it: ${found.about}`}
                  onClick={() => correct(found.folder)}
                >
                  Correct it
                </TextButton>
              )}
              {found.said && correcting === found.folder && (
                <Correction
                  id={id}
                  folder={found.folder}
                  said={found.said}
                  onClose={(isCorrected) => {
                    correct(undefined)
                    setClosed(isCorrected ? undefined : found.folder)
                    if (isCorrected) setConfirmed((before) => ({ ...before, [found.folder]: true }))
                  }}
                />
              )}
            </div>
            {found.outcome === 'refused' ? (
              <State kind="broken">Refused</State>
            ) : isDone ? (
              found.slug ? (
                <Link to="/titles/$slug" params={{ slug: found.slug }} className="text-button">
                  Open
                </Link>
              ) : (
                <State kind="done">Done</State>
              )
            ) : (
              <label className="choice">
                <input
                  type="checkbox"
                  className="checkbox"
                  aria-label={`${isGuessed(found) ? 'Yes, that’s right' : 'Bring in'}: ${found.about}`}
                  checked={isIn(found)}
                  disabled={isBusy}
                  onChange={({ target }) =>
                    setConfirmed((before) => ({ ...before, [found.folder]: target.checked }))
                  }
                />
                {isGuessed(found) ? 'Yes, that’s right' : 'Bring in'}
              </label>
            )}
          </li>
        ))}
      </ul>
      {isDone ? (
        <p className="below">
          <Link to="/titles" search={{ missing: 'price' }} className="text-button">
            Give prices to those without one
          </Link>
        </p>
      ) : (
        state !== 'reading' && (
          <Button
            look="beak"
            busy={bring.busy || isBusy}
            sends
            why={chosen.length === 0 ? 'Tick what is right first.' : undefined}
            onClick={() => void bring.write()}
          >
            Bring in {chosen.length} {chosen.length === 1 ? 'title' : 'titles'}
          </Button>
        )
      )}
    </Section>
  )
}

type SaidFields = Readonly<Record<keyof Said, string>>

/** What was found or guessed about a title, to be corrected before it is brought in. */
function Correction({
  id,
  folder,
  said,
  onClose,
}: {
  readonly id: string
  readonly folder: string
  readonly said: Said
  readonly onClose: (isCorrected: boolean) => void
}) {
  const form = useForm<SaidFields>({
    defaultValues: {
      title: said.title,
      authors: said.authors.join(', '),
      narrators: said.narrators?.join(', ') ?? '',
      series: seriesText(said.series.map(({ name, number }) => ({ title: name, number }))),
    },
  })
  const save = useAct(
    ({ title, authors, narrators, series }: SaidFields) =>
      officeCall('POST /api/office/imports/{id}/correct', {
        params: { id },
        body: {
          folder,
          said: {
            title: title.trim(),
            authors: namesIn(authors),
            narrators: said.narrators && namesIn(narrators),
            series: seriesIn(series).map(({ title: name, number }) => ({ name, number })),
          },
        },
      }),
    { changes: [['import']], onDone: () => onClose(true) },
  )
  const { errors } = form.formState
  const required = (value: string) => value.trim() !== '' || 'It needs a title.'
  return (
    <Form onSubmit={form.handleSubmit((fields) => void save.write(fields))}>
      <Refusal message={save.refusal} />
      <Field
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that had the focus
        autoFocus
        label="Title"
        error={errors.title?.message}
        maxLength={300}
        {...form.register('title', { validate: required })}
      />
      <div className="fields">
        <Field label="Authors" hint="Several: with commas between" {...form.register('authors')} />
        {said.narrators && <Field label="Read by" {...form.register('narrators')} />}
      </div>
      <Field
        label="Series"
        hint="Like Tides #2; several with a semicolon between"
        {...form.register('series')}
      />
      <div className="acts">
        <Button compact look="solid" type="submit" sends busy={save.busy}>
          That’s right now
        </Button>
        <Button compact onClick={() => onClose(false)}>
          Leave it as it was
        </Button>
      </div>
    </Form>
  )
}
